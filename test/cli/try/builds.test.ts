import { describe, expect, test } from "vitest";
import { eventually } from "../../eventually.ts";
import { lentSeed, seed, seedWithMetadata, tryStage } from "./stage.ts";

const pool = ["--pool", 'name ~= "^test-"'];

describe.concurrent("the note of a build", () => {
  test.each([
    ["shows writes at once", { metadata: "replace" }],
    ["shows writes late", { metadata: "replace", visibility: "lagging" }],
    ["merges the keys of metadata", { metadata: "merge" }],
  ] as const)("survives another try of the same tenant, on a platform that %s", async (_, variants) => {
    await using on = await tryStage({ variants });
    on.emulator.setLag({ seconds: 0.4 });
    const args = ["--tenant", "test-one", "--syncs", "init", "--wait", "60"];
    const results = await Promise.all(["pr-5", "pr-6"].map((tag) => on.run("--tag", tag, ...args)));
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(2).fill({ code: 0, stderr: "" }));
    const builds = on.requested("POST /v2/sourcecontrol/build").map(({ body }) => Object(body).tag);
    expect(builds.toSorted()).toEqual(["pr-5", "pr-6"]);
    const noted = { "pr-5": expect.any(String), "pr-6": expect.any(String) };
    await eventually(async () =>
      expect(await on.raw(1)).toEqual({
        ...{ integration_release_id: 11, integration_release_channel: null },
        metadata: { cursor: 1, integrationPlatformTry: null, integrationPlatformTryBuilds: noted },
      }),
    );
  });

  test("is not written to a tenant that another try has: nothing is built until one is free", async () => {
    await using on = await tryStage({ seed: lentSeed("2999-01-01T00:00:00Z", "pr-9") });
    const refused = await on.run("--tag", "pr-5", "--tenant", "test-one");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("is lent to pr-9 (bob)") });
    expect(on.emulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await on.run("--tag", "pr-5", ...pool, "--syncs", "init")).toMatchObject({ code: 0 });
    expect(await on.raw(1)).toMatchObject({ metadata: { integrationPlatformTry: { label: "pr-9" } } });
    expect(await on.raw(2)).toMatchObject({
      metadata: { integrationPlatformTryBuilds: { "pr-5": expect.any(String) } },
    });
  });

  test("is found in whichever tenant of the pool has it, also by a try that began at the same time", async () => {
    await using on = await tryStage({ variants: { builds: "never", metadata: "replace" } });
    const one = ["--tag", "pr-5", "--tenant", "test-one", "--timeout", "0.2", "--wait", "60"];
    const all = await Promise.all([on.run(...one), on.run(...one)]);
    const later = await on.run("--tag", "pr-5", ...pool, "--timeout", "0.2");
    const found = [...all, later].filter(({ stderr }) => stderr.includes("was asked for at "));
    expect([...all, later].map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(found).toHaveLength(2);
    expect(on.requested("POST /v2/sourcecontrol/build")).toHaveLength(1);
  });

  test("is removed after a week, also where only null removes a key", async () => {
    const noted = { metadata: { cursor: 1, integrationPlatformTryBuilds: { "pr-1": "2020-01-01T00:00:00.000Z" } } };
    const tenants = (seed.tenants ?? []).map((one) => (one.id === 1 ? { ...one, ...noted } : one));
    await using on = await tryStage({ seed: { ...seed, tenants }, variants: { metadata: "merge-patch" } });
    expect(await on.run("--tag", "pr-5", "--tenant", "test-one", "--syncs", "init")).toMatchObject({ code: 0 });
    const metadata = { cursor: 1, integrationPlatformTryBuilds: { "pr-5": expect.any(String) } };
    expect((await on.raw(1)).metadata).toEqual(metadata);
  });

  test("leaves no loan behind where the metadata schema refuses it", async () => {
    const schema = {
      type: "object",
      properties: { cursor: {}, integrationPlatformTry: {} },
      additionalProperties: false,
    };
    await using on = await tryStage({ seed: seedWithMetadata(schema) });
    const refused = await on.run("--tag", "pr-5", "--tenant", "test-one");
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cannot hold the key integrationPlatformTryBuilds"),
    });
    expect(on.requested("POST /v2/sourcecontrol/build")).toEqual([]);
    expect(await on.raw(1)).toMatchObject({ metadata: { cursor: 1, integrationPlatformTry: null } });
  });
});
