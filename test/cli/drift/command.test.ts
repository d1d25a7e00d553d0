import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../run-cli.ts";

// What the real engine prints is held to the real engine in test/engine/drift-report.test.ts.
describe("drift", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "drift-command-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Runs the command with a `pulumi` that prints these lines and ends with that code. */
  async function drift(lines: readonly object[], code = 0, args: readonly string[] = []) {
    const pulumi = join(folder, "pulumi");
    await writeFile(join(folder, "events"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await writeFile(pulumi, `#!/bin/sh\necho "$@" > "${folder}/args"\ncat "${folder}/events"\nexit ${code}\n`);
    await chmod(pulumi, 0o755);
    const env = { PATH: [folder, process.env.PATH].join(delimiter) };
    return runCli(undefined, ["drift", "--json", "-", ...args], env);
  }

  test("asks for a preview that looks at the platform, of the stack named", async () => {
    await drift([stack, end], 0, ["--stack", "production"]);
    const args = await readFile(join(folder, "args"), "utf8");
    expect(args).toBe("preview --refresh --json --non-interactive --stack production\n");
  });

  test("ends with 0 where there is none, and names the stack and how many tenants were looked at", async () => {
    const { code, stdout } = await drift([stack, ...tenant("same", { paused: true }, { paused: true }), end]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      isInSync: true,
      stack: "test",
      tenants: 1,
      valuesNotCompared: 0,
      differences: [],
    });
  });

  test("ends with 2 where there is any", async () => {
    const { code, stdout } = await drift([stack, ...tenant("update", { paused: true }, { paused: false }), end]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).differences).toMatchObject([
      { tenant: "acme", field: "paused", declared: false, actual: true },
    ]);
  });

  test("says nothing of settings that are no longer declared, or say how the resource behaves", async () => {
    const actual = { paused: true, schedule: "0 0 * * *", adopt: "safe" };
    const { stdout } = await drift([stack, ...tenant("update", actual, { adopt: true, paused: false }), end]);
    expect(JSON.parse(stdout).differences).toMatchObject([{ field: "paused" }]);
  });

  test("names the integration where another is declared", async () => {
    const events = tenant("replace", { integration: "one" }, { integration: "two" });
    expect(JSON.parse((await drift([stack, ...events, end])).stdout).differences).toMatchObject([
      { field: "integration", declared: "two", actual: "one" },
    ]);
  });

  test("tells a tenant whose declaration is gone", async () => {
    const { stdout } = await drift([stack, ...tenant("delete", {}, undefined), end]);
    expect(JSON.parse(stdout).differences).toEqual([
      expect.objectContaining({ tenant: "acme", actual: "exists", changedOn: "program" }),
    ]);
  });

  test("takes a renamed key of a fleet for the tenant that it was", async () => {
    const events = tenant(
      "update",
      { tenants: { old: { paused: true } } },
      { tenants: { "new-1": { name: "old", formerly: "old", paused: false } } },
      { type: "TenantFleet" },
    );
    expect(JSON.parse((await drift([stack, ...events, end])).stdout).differences).toMatchObject([
      { tenant: "old", field: "paused", declared: false, actual: true },
    ]);
  });

  test("takes a value that becomes a secret for the same value, unless the engine says otherwise", async () => {
    const declared = { configs: { pin: secret, key: secret } };
    const detailedDiff = { "configs.pin": { kind: "update" } };
    const events = tenant("update", { configs: { pin: "1234", key: "k" } }, declared, { detailedDiff });
    const { stdout } = await drift([stack, ...events, end]);
    expect(JSON.parse(stdout).differences).toMatchObject([
      { field: "configs.pin", declared: "(secret)", actual: "(secret)", isSecret: true },
    ]);
    expect(stdout).not.toContain("1234");
  });

  test("does not tell what somebody wrote by hand above a secret that is no longer declared", async () => {
    const secretPaths = [["configs", "login", "password"]];
    const actual = { configs: { login: "ada:hand-written" }, secretPaths };
    const { stdout, stderr } = await drift([stack, ...tenant("update", actual, { configs: { region: "eu" } }), end]);
    expect(JSON.parse(stdout).differences).toMatchObject([
      { field: "configs.login", actual: "(secret)", isSecret: true },
      { field: "configs.region", declared: "eu" },
    ]);
    expect(stdout + stderr).not.toContain("hand-written");
  });

  test("hides what somebody wrote in place of a secret, declared still or no longer, of every kind of resource", async () => {
    const login = (at: string) => ({ secretPaths: [[at, "login", "password"]] });
    const byHand = { login: "ada:hidden", "login.password": "shown", other: "shown" };
    const entry = { configs: byHand, ...login("configs") };
    const events = [
      ...tenant("update", entry, { configs: {} }),
      ...tenant(
        "update",
        { tenants: { one: entry, two: { configs: byHand } }, secretPaths: [["tenants", "two", "configs", "login"]] },
        { tenants: { one: { configs: {} }, two: { configs: {} } } },
        { type: "TenantFleet" },
      ),
      ...tenant("update", { tenantId: 7, data: byHand, ...login("data") }, { data: {} }, { type: "TenantMetadata" }),
    ];
    const { stdout } = await drift([stack, ...events, end]);
    expect(stdout).not.toContain("hidden");
    const told: { field: string; actual: string }[] = JSON.parse(stdout).differences;
    expect(told).toHaveLength(12);
    for (const { field, actual } of told) expect(actual).toBe(/\.login$/.test(field) ? "(secret)" : "shown");
  });

  test("misses nothing where a setting, or a fleet's tenants, are a secret as a whole", async () => {
    const [paused, tenants] = [{ paused: secret }, { tenants: secret }];
    const events = [
      ...tenant("update", paused, paused, { detailedDiff: { paused: {} } }),
      ...tenant("update", tenants, tenants, { type: "TenantFleet", detailedDiff: { "tenants.one.paused": {} } }),
    ];
    const { code, stdout } = await drift([stack, ...events, end]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).differences).toMatchObject([
      { tenant: "acme", field: "paused", declared: "(secret)" },
      { tenant: "fleet acme", field: "tenants.one.paused", declared: "(secret)" },
    ]);
  });

  test("ends with 1 and the engine's reasons where the preview failed", async () => {
    const error = { diagnosticEvent: { severity: "error", message: "no such stack\u001b[31m" } };
    const { code, stdout, stderr } = await drift([error], 255);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      "error: `pulumi preview --refresh` ended with 255, so nothing is known of any drift:\n  no such stack\\u001b[31m\n",
    );
  });

  test("ends with 1 where the preview was cut off: what is not known is not taken for no drift", async () => {
    const { code, stdout } = await drift([stack, ...tenant("same", {}, {})]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  });

  test("ends with 1 where there is no Pulumi CLI, or no such folder for a file", async () => {
    await rm(join(folder, "pulumi"), { force: true });
    const { code, stderr } = await runCli(undefined, ["drift"], { PATH: folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(/could not be started .*is the Pulumi CLI on PATH/);
    const unwritable = await drift([stack, end], 0, ["--html", join(folder, "none/drift.html")]);
    expect(unwritable.code).toBe(1);
    expect(unwritable.stderr).toMatch(/cannot write the drift to .*ENOENT/);
  });

  test("makes no sense with two outputs on standard output, and ends with 64", async () => {
    const { code, stdout } = await drift([stack, end], 0, ["--markdown", "-"]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  });
});

const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "[secret]" };
const stackUrn = "urn:pulumi:test::project::pulumi:pulumi:Stack::project-test";
const stack = { resourcePreEvent: { metadata: { op: "same", urn: stackUrn, type: "pulumi:pulumi:Stack" } } };
const end = { summaryEvent: {} };

/** The events of one resource, as the refresh found it and as the program declares it. */
function tenant(
  op: string,
  actual: object,
  declared: object | undefined,
  { type = "Tenant", detailedDiff = {} } = {},
): object[] {
  const token = `pulumi-nodejs:dynamic/integration-platform:${type}`;
  const resource = { urn: `urn:pulumi:test::project::${token}::acme`, type: token };
  const state = (inputs: object | undefined) => (inputs === undefined ? null : { inputs, outputs: inputs });
  const refresh = { ...resource, op: "refresh", old: state(actual), new: state(actual) };
  return [
    { resourcePreEvent: { metadata: refresh } },
    { resOutputsEvent: { metadata: refresh } },
    { resourcePreEvent: { metadata: { ...resource, op, old: state(actual), new: state(declared), detailedDiff } } },
  ];
}
