import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { call } from "../emulator/running-emulator.ts";
import { failureOf } from "../failure-of.ts";
import { complete } from "../resources/stage.ts";
import { partialFailureOf } from "./partial-failure.ts";
import { stagedHost } from "./staged-host.ts";

const secret = 's3cret "token"/&';
const spellings = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
const marked = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

function expectClean(text: string) {
  for (const spelling of spellings) expect(text).not.toContain(spelling);
}

describe("a platform that repeats the request in its errors", () => {
  test("leaks no secret of a sync's payload in any form", async () => {
    await using staged = await stagedHost({ member: "syncTrigger" }, { variants: { pausedSync: "refuse" } });
    const { on, host } = staged;
    const tenantId = await on.add({ integration: 101, name: "theirs", paused: true });
    for (const connector of ["crm", "billing"]) {
      const path = `/_emulator/tenants/${tenantId}/connectors/${connector}`;
      await call(on.emulator, "POST", path, { status: "connected" });
    }
    const payload = { token: secret };
    const inputs = { tenantId, mode: "normal", payload, secretPaths: [["payload", "token"]] };
    for (const refusals of ["repeat", "repeat-json", "repeat-url"] as const) {
      on.emulator.setVariants({ refusals });
      const { message } = await failureOf(host.create(inputs));
      for (const part of ["; the request was", "[secret]"]) expect(message).toContain(part);
      expectClean(message + host.output());
    }
  });

  test("leaks no secret in the reasons of a partial failure, whose properties are marked", async () => {
    await using staged = await stagedHost();
    const { on, host } = staged;
    const body = { detail: [{ loc: ["body", "plan"], msg: `not: ${spellings.join(", ")}`, type: "t" }] };
    on.emulator.fault({ kind: "status", status: 422, body, match: { path: "metadata$" }, times: 9 });
    const configs = { region: "eu", shops: [{ token: secret }], "a.b": { c: secret } };
    const secretPaths = [
      ["configs", "a.b", "c"],
      ["configs", "shops", "0", "token"],
    ];
    const error = await failureOf(host.create({ ...complete, configs, secretPaths }));
    const failure = partialFailureOf(error);
    expect(failure?.properties.configs).toEqual({
      region: "eu",
      shops: marked([{ token: secret }]),
      "a.b": { c: marked(secret) },
    });
    expect(failure?.reasons).toEqual([expect.stringContaining("not: [secret], [secret], [secret]")]);
    expectClean(`${failure?.reasons} ${error.message} ${host.output()}`);
  });

  test("leaks no secret of one resource to another, including short and stored secrets", async () => {
    await using staged = await stagedHost();
    const { on, host } = staged;
    const secretPaths = [["configs", "api_token"]];
    const { id, properties } = await host.create({ ...complete, configs: { api_token: secret }, secretPaths });
    const refusal = { message: `${secret} is one of somebody else's, and so is 4711` };
    on.emulator.fault({ kind: "status", status: 422, body: refusal, match: { method: "POST" }, times: 1 });
    const other = await failureOf(host.create({ ...complete, name: "globex" }));
    expect(other.message).toContain("[secret] is one of somebody else's, and so is 4711");

    on.emulator.fault({ kind: "status", status: 422, body: refusal, match: { method: "POST" }, times: 1 });
    const configs = { region: "eu", pin: 4711 };
    const short = { ...complete, name: "globex", configs, secretPaths: [["configs", "pin"]] };
    const { message } = await failureOf(host.create(short));
    expect(message).toMatch(/POST \/v2\/tenants: refused as invalid \(status 422\): .*withheld/);
    expect(message).not.toContain("4711");

    await using next = await staged.nextHost();
    on.emulator.fault({ kind: "status", status: 403, body: refusal, times: 99 });
    const stored = await failureOf(next.delete(id, { ...properties, secretPaths }));
    expect(stored.message).toContain("[secret] is one of somebody else's");
    expectClean(other.message + stored.message + host.output() + next.output());
  });

  test("leaks no secret in the report of a fleet's failures or in its warnings", async () => {
    await using staged = await stagedHost({ member: "tenantFleet" });
    const { on, host } = staged;
    on.emulator.fault({
      kind: "status",
      status: 422,
      body: { message: `not ${secret}` },
      match: { method: "POST" },
      times: 99,
    });
    const entry = { configs: { api_token: secret }, secretPaths: [["configs", "api_token"]] };
    const tenants = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`tenant-${index}`, entry]));
    const { message } = await failureOf(host.create({ integration: "crm-to-billing", name: "all", tenants }));
    const [path = ""] = /\S+fleet-failures\.txt/.exec(message + host.output()) ?? [];
    const report = await readFile(path, "utf8");
    expect(report).toContain("tenant-24: POST /v2/tenants: refused as invalid (status 422): not [secret].");
    expectClean(message + report + host.output());
  });
});
