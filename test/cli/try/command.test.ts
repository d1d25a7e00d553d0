import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { changedAnswers } from "../../changed-answers.ts";
import { eventually } from "../../eventually.ts";
import { standInStack } from "../stand-in-stack.ts";
import { lentSeed, seed, seedWithMetadata, tryStage } from "./stage.ts";

const before = {
  integration_release_id: 11,
  integration_release_channel: null,
  metadata: { cursor: 1, integrationPlatformTry: null },
};

describe.concurrent("try", () => {
  test("syncs test tenants with a release, and puts back what they had", async () => {
    await using on = await tryStage();
    const { code, stdout, stderr } = await on.run("--release", "pr-2", "--tenant", "test-one", "--tenant", "2");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.replaceAll(/\d+ s$/gm, "N s")).toBe(
      `Release pr-2 (12) of integration crm-to-billing: passed

TENANT    SYNC    OUTCOME    TOOK
test-one  init    succeeded  N s
test-one  normal  succeeded  N s
test-two  init    succeeded  N s
test-two  normal  succeeded  N s
`,
    );
    expect(on.requested("POST /v2/tenants/1/sync").map(({ query }) => query.mode)).toEqual(["init", "normal"]);
    expect(on.requested("PATCH /v2/tenants/1").map(({ body }) => Object(body).integration_release_id)).toEqual([
      12, 11,
    ]);
    expect(await on.raw(1)).toEqual(before);
    expect(await on.raw(2)).toMatchObject({ integration_release_channel: "Default", metadata: { cursor: 2 } });
  });

  test("records who has a tenant where others see it, and ends with 1 if another one has it", async () => {
    await using on = await tryStage({ seed: lentSeed("2999-01-01T00:00:00Z", "pr-9") });
    const { code, stdout, stderr } = await on.run("--release", "12", "--tenant", "test-one", "--json");
    expect(code).toBe(1);
    expect(stderr).toContain("test-one (1) is lent to pr-9 (bob) until 2999-01-01T00:00:00Z");
    expect(JSON.parse(stdout)).toMatchObject({ verdict: "not tried", tenants: [] });
    expect(on.emulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    expect((await on.run("--release", "12", "--pool", 'name ~= "^test-"')).code).toBe(0);
    const [record] = on.requested("PATCH /v2/tenants/2/metadata");
    expect(record?.body).toMatchObject({
      integrationPlatformTry: {
        label: "pr-2",
        by: "ada",
        release: 12,
        before: { integration_release_channel: "Default" },
      },
    });
  });

  test("first puts back what a killed try has left, once its time is over", async () => {
    await using on = await tryStage({ seed: lentSeed("2020-01-01T00:00:00Z", "pr-9") });
    expect((await on.run("--release", "12", "--tenant", "test-one", "--syncs", "init")).code).toBe(0);
    const moves = on.requested("PATCH /v2/tenants/1").map(({ body }) => Object(body).integration_release_id);
    expect(moves).toEqual([11, 12, 11]);
    expect(await on.raw(1)).toEqual(before);
  });

  test("--restore leaves those whose time is not over, unless it names them", async () => {
    await using on = await tryStage({ seed: lentSeed("2999-01-01T00:00:00Z", "pr-9") });
    const kept = await on.run("--restore");
    expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining("is lent to pr-9 until 2999") });
    expect(await on.raw(1)).toMatchObject({ integration_release_id: 14 });
    expect(await on.run("--restore", "--tag", "pr-9")).toMatchObject({
      code: 0,
      stdout: "test-one (1) is put back; it was lent to pr-9\n",
    });
    expect(await on.raw(1)).toEqual(before);
  });

  test("--restore with a * puts back the loans of all commits of a pull request, and no others", async () => {
    await using on = await tryStage({ seed: lentSeed("2999-01-01T00:00:00Z", "pr-7-aaa", "pr-7-bbb", "pr-77-ccc") });
    const { code, stdout } = await on.run("--restore", "--tag", "pr-7-*");
    expect(code).toBe(0);
    expect(stdout.split("\n").toSorted().join("\n").trim()).toBe(
      `test-of-pr-7-bbb (2) is put back; it was lent to pr-7-bbb
test-of-pr-77-ccc (3) is lent to pr-77-ccc until 2999-01-01T00:00:00Z and stays so
test-one (1) is put back; it was lent to pr-7-aaa`,
    );
    const running = await Promise.all([1, 2, 3].map((id) => on.raw(id)));
    expect(running.map(({ integration_release_id }) => integration_release_id)).toEqual([11, 11, 14]);
  });

  test("ends with 4 if a sync fails, shows the log without credentials, and writes the files for CI", async () => {
    await using on = await tryStage();
    using folder = mkdtempDisposableSync(join(tmpdir(), "try-"));
    const files = ["--markdown", join(folder.path, "comment.md"), "--junit", join(folder.path, "junit.xml")];
    const { code, stdout } = await on.run("--release", "broken", "--tenant", "test-one", ...files);
    const [markdown, junit] = ["comment.md", "junit.xml"].map((name) => readFileSync(join(folder.path, name), "utf8"));
    expect(code).toBe(4);
    expect(on.requested("POST /v2/tenants/1/sync")).toHaveLength(1);
    for (const text of [stdout, markdown, junit]) {
      expect(text).toContain("no such field");
      expect(text).not.toContain("tok-4711-secret");
    }
    expect(stdout).toContain("test-one (1): its init sync failed");
    expect(markdown).toContain("### <code>Release broken &#40;13&#41; of integration crm-to-billing</code>: failed");
    expect(junit).toContain('<testsuites tests="2" failures="1" errors="0">');
    expect(junit).toContain('<testcase classname="test-one" name="init sync"');
    const ofLog = /^ {2}\S/;
    const lines = stdout.split("\n").filter((line) => !ofLog.test(line));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(await on.raw(1)).toEqual(before);
  });

  test("says who must do what before a release that requires new configs, and ends with 4", async () => {
    await using on = await tryStage();
    const { code, stdout } = await on.run("--tag", "stricter", "--branch", "feature/x", "--tenant", "test-one");
    expect(code).toBe(4);
    const text = stdout.replaceAll(/\n? +/g, " ");
    expect(text).toContain("configs.region is required: acme. To be set by the customer, in the form");
    expect(text).toContain(
      "configs.batch is required: test-two, acme. To be set by your team: the customer does not see it",
    );
    expect(stdout).toContain("test-one  normal  succeeded");
    expect(on.requested("POST /v2/sourcecontrol/build").map(({ body }) => body)).toEqual([
      { integration_id: 101, tag: "stricter", branch: "feature/x" },
    ]);
    expect(await on.raw(1)).toMatchObject({ integration_release_id: 11 });
  });

  test("asks for a build once, also after an interruption, unless --rebuild is given", async () => {
    await using on = await tryStage({ variants: { builds: "never" } });
    const build = ["--tag", "pr-5", "--tenant", "test-one", "--timeout", "0.2"];
    const first = await on.run(...build);
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining("its release does not show yet") });
    const second = await on.run(...build);
    expect(second.stderr).toContain('the build "pr-5" of integration "crm-to-billing" was asked for at ');
    expect(on.requested("POST /v2/sourcecontrol/build")).toHaveLength(1);
    await on.run(...build, "--rebuild");
    expect(on.requested("POST /v2/sourcecontrol/build")).toHaveLength(2);
  });

  test("does not build while customers follow the channel Latest, unless --move-latest is given", async () => {
    const tenants = seed.tenants?.map((one) =>
      one.name === "acme"
        ? { ...one, integration_release_id: null, integration_release_channel: "Latest" as const }
        : one,
    );
    await using on = await tryStage({ seed: { ...seed, tenants: tenants ?? [] }, variants: { builds: "never" } });
    const build = ["--tag", "pr-5", "--tenant", "test-one", "--timeout", "0.2"];
    expect((await on.run(...build)).stderr).toContain("a tenant follows the channel Latest");
    expect(on.requested("POST /v2/sourcecontrol/build")).toEqual([]);
    await on.run(...build, "--move-latest");
    expect(on.requested("POST /v2/sourcecontrol/build")).toHaveLength(1);
  });

  test("refuses a tenant that is no test tenant, unless the stack's config lists it", async () => {
    await using on = await tryStage();
    const args = ["--release", "12", "--tenant", "acme", "--syncs", "normal"];
    const refused = await on.run(...args);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("tenant acme (3) is no test tenant") });
    expect(on.emulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    await using stack = await standInStack({ testTenants: ["acme"] });
    expect(await on.runIn(stack.env, ...args, "--stack", "dev")).toMatchObject({ code: 0 });
  });

  test("needs --lock none where the metadata schema refuses the record", async () => {
    const schema = { type: "object", properties: { cursor: {} }, additionalProperties: false };
    await using on = await tryStage({ seed: seedWithMetadata(schema) });
    const args = ["--release", "12", "--tenant", "test-one", "--syncs", "normal"];
    const refused = await on.run(...args);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("Add --lock none") });
    expect(await on.run(...args, "--lock", "none")).toMatchObject({ code: 0 });
    expect(await on.raw(1)).toEqual({ ...before, metadata: { cursor: 1 } });
  });

  test("ends with 1 where the platform takes the record and does not show it", async () => {
    await using on = await tryStage();
    await using hiding = await changedAnswers((body) => body.replace("integrationPlatformTry", "other"));
    hiding.target = on.emulator.url;
    const env = { ...on.env, INTEGRATION_PLATFORM_BASE_URL: hiding.url };
    const { code, stderr } = await on.runIn(env, "--release", "12", "--tenant", "test-one", "--wait", "60");
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("it was sent, and does not show") });
    expect(await on.raw(1)).toMatchObject({ integration_release_id: 11 });
  });

  test("leaves a tenant alone that somebody else has moved meanwhile, and ends with 1", async () => {
    await using on = await tryStage();
    on.emulator.fault({ kind: "delay", ms: 60_000, match: { method: "POST", path: "/sync" } });
    const trying = on.run("--release", "12", "--tenant", "test-one");
    await eventually(() => expect(on.requested("POST /v2/tenants/1/sync")).toHaveLength(1));
    const url = `${on.emulator.url}/_emulator/tenants/1`;
    const body = JSON.stringify({ integration_release_id: 14 });
    await fetch(url, { method: "PATCH", body, headers: { "content-type": "application/json" } });
    on.emulator.clearFaults();
    const { code, stdout } = await trying;
    expect(code).toBe(1);
    expect(stdout).toContain("test-one (1): somebody else has given it another release");
    expect(await on.raw(1)).toEqual({ ...before, integration_release_id: 14 });
  });

  test.each([
    ["no release", ["--tenant", "test-one"]],
    ["no tenant", ["--release", "12"]],
    ["a branch of an existing release", ["--release", "12", "--branch", "x", "--tenant", "test-one"]],
    ["a wrong expression", ["--release", "12", "--pool", "name ~~ 1"]],
    ["an unknown mode", ["--release", "12", "--tenant", "test-one", "--syncs", "init,other"]],
  ])("ends with 64 if the command line has %s", async (_, args) => {
    await using on = await tryStage();
    expect((await on.run(...args)).code).toBe(64);
  });
});

test.each([
  ["shows writes at once", {}],
  ["shows writes late", { visibility: "lagging" }],
] as const)(
  "on a platform that %s, commands that begin at once never share a tenant",
  async (_, variants) => {
    await using on = await tryStage({ variants });
    on.emulator.setLag({ seconds: 0.4 });
    const pool = ["--pool", 'name ~= "^test-"', "--wait", "60", "--syncs", "init", "--json"];
    const results = await Promise.all(["12", "14", "v1"].map((release) => on.run("--release", release, ...pool)));
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(3).fill({ code: 0, stderr: "" }));
    expect(results.flatMap(({ stdout }) => JSON.parse(stdout).tenants)).toHaveLength(3);
    // each tenant goes from its own release to a tried one and back
    for (const [id, own] of [
      [1, 11],
      [2, null],
    ] as const) {
      const moves = on.requested(`PATCH /v2/tenants/${id}`).map(({ body }) => Object(body).integration_release_id);
      expect(moves.filter((_, at) => at % 2 === 1).every((release) => release === own)).toBe(true);
    }
    await eventually(async () => expect(await on.raw(1)).toEqual(before));
    expect(await on.raw(2)).toMatchObject({ integration_release_channel: "Default", metadata: { cursor: 2 } });
  },
  60_000,
);
