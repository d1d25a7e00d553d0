import { describe, expect, test } from "vitest";
import { createClient } from "../../src/api/index.ts";
import { createEmulator, type EmulatorOptions } from "../../src/emulator/index.ts";
import { createSnapshot, type Snapshot } from "../../src/snapshot/index.ts";
import { call } from "../emulator/running-emulator.ts";

async function start(options: EmulatorOptions = {}) {
  const emulator = await createEmulator(options);
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.apiKey });
  return {
    emulator,
    snapshot: createSnapshot(client),
    async [Symbol.asyncDispose]() {
      await client.close();
      await emulator.close();
    },
  };
}

describe("an integration", () => {
  test("is found by name and by id, in one list for all", async () => {
    await using on = await start();
    expect((await on.snapshot.integrations.find("shop-to-erp")).id).toBe(102);
    expect((await on.snapshot.integrations.find(103)).name).toBe("hr-to-payroll");
    expect(on.emulator.requests()).toHaveLength(2); // the second shows that the first page was the last
  });

  test("has the releases of the last good list, although the next one fails", async () => {
    await using on = await start();
    const releases = on.snapshot.releasesOf(101);
    const known = await releases.all();
    on.emulator.fault({ kind: "status", status: 403, match: { path: "/releases$" }, times: 9 });
    await expect(releases.fetchFresh()).rejects.toThrow("403");
    expect(await releases.all()).toEqual(known);
  });

  test("that is archived is found by its id", async () => {
    await using on = await start();
    await call(on.emulator, "PATCH", "/_emulator/integrations/102", { archived: true });
    expect((await on.snapshot.integrations.find(102)).name).toBe("shop-to-erp");
  });

  test.each<[string, EmulatorOptions, (snapshot: Snapshot) => Promise<unknown>, RegExp]>([
    ["a misspelt name", {}, ({ integrations }) => integrations.find("shop-to-epr"), /did you mean "shop-to-erp"/],
    [
      "a name unlike any",
      {},
      ({ integrations }) => integrations.find("x"),
      /there are "crm-to-billing", "shop-to-erp"/,
    ],
    ["an id", {}, ({ integrations }) => integrations.find(9), /no integration with id 9/],
    ["any, where there are none", { seed: {} }, ({ integrations }) => integrations.find("x"), /there are none/],
  ])("that does not exist is an error with suggestions: %s", async (_, options, find, message) => {
    await using on = await start(options);
    await expect(find(on.snapshot)).rejects.toThrow(message);
  });
});

test("an integration name that is not unique is an error that lists the integrations", async () => {
  await using on = await start();
  const twin = { name: "crm", long_name: "CRM", type: "Internal" };
  on.emulator.fault({
    kind: "status",
    status: 200,
    body: [
      { id: 1, ...twin },
      { id: 2, ...twin },
    ],
  });
  await expect(on.snapshot.integrations.find("crm")).rejects.toThrow(
    /2 integrations.*\(ids 1, 2\); use the id instead/,
  );
});

describe("a release", () => {
  test("is found by tag, by id and by channel", async () => {
    await using on = await start();
    const releases = on.snapshot.releasesOf(101);
    expect((await releases.byTag("v1.1.0")).id).toBe(902);
    expect((await releases.byId(901)).tag).toBe("v1.0.0");
    expect((await releases.ofChannel("Latest"))?.id).toBe(902);
    expect((await releases.ofChannel("Default"))?.id).toBe(901);
    expect(await releases.ofChannel("Nightly")).toBeUndefined();
  });

  test("that was built in the meantime is found in a second list", async () => {
    await using on = await start();
    const releases = on.snapshot.releasesOf(101);
    await releases.all();
    await call(on.emulator, "POST", "/_emulator/integrations/101/releases", { name: "new", tag: "v9" });
    expect((await releases.byTag("v9")).name).toBe("new");
  });

  test("that does not exist is an error with suggestions", async () => {
    await using on = await start();
    const releases = on.snapshot.releasesOf(101);
    await expect(releases.byTag("v1.0.9")).rejects.toThrow(/no release with tag "v1.0.9"; did you mean "v1/);
    await expect(releases.byId(999)).rejects.toThrow(/no release with id 999.*901 \(v1\.0\.0\)/);
  });

  test("whose tag is not unique is an error that lists the releases", async () => {
    await using on = await start();
    await call(on.emulator, "POST", "/_emulator/integrations/101/releases", { name: "again", tag: "v1.0.0" });
    await expect(on.snapshot.releasesOf(101).byTag("v1.0.0")).rejects.toThrow(
      /2 releases have the tag.*use the id instead/,
    );
  });

  test("of a channel without a release is undefined", async () => {
    await using on = await start({ seed: { integrations: [{ id: 1, name: "crm" }] } });
    expect(await on.snapshot.releasesOf(1).ofChannel("Latest")).toBeUndefined();
    expect(await on.snapshot.releasesOf(1).ofChannel("Default")).toBeUndefined();
  });
});
