import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/index.ts";
import { runCli } from "../run-cli.ts";

const strict = {
  type: "object",
  properties: { region: { enum: ["eu", "us"] }, pin: { type: "string", format: "password", pattern: "^[0-9]+$" } },
  required: ["account"],
};
const secretPin = { properties: { pin: { type: "string", format: "password" } } };
const plan = { type: "object", properties: { plan: { enum: ["gold"] } } };

describe("check", () => {
  let emulator: Emulator;
  const run = (...args: string[]) => runCli(emulator, ["check", "--integration", "billing", ...args]);

  beforeAll(async () => {
    emulator = await createEmulator({
      seed: {
        integrations: [
          {
            name: "billing",
            default_release_id: 11,
            releases: [
              {
                id: 10,
                name: "none",
                tag: "v0",
                config_schema: { $ref: "https://schemas.example.com/a.json" },
                created_date: "2025-01-01T00:00:00.000Z",
              },
              {
                id: 11,
                name: "one",
                tag: "v1",
                config_schema: secretPin,
                created_date: "2026-01-01T00:00:00.000Z",
              },
              {
                id: 12,
                name: "two",
                tag: "v2",
                config_schema: strict,
                metadata_schema: plan,
                created_date: "2026-02-01T00:00:00.000Z",
              },
              {
                id: 13,
                name: "three",
                tag: "v3",
                config_schema: { properties: { pin: { pattern: "^[0-9]+$" } } },
                created_date: "2025-02-01T00:00:00.000Z",
              },
              {
                id: 14,
                name: "four",
                tag: "v4",
                config_schema: { required: ["account", "pin"] },
                created_date: "2025-02-01T00:00:00.000Z",
              },
            ],
          },
        ],
        tenants: [
          { integration: "billing", name: "fits", configs: { account: "a", region: "eu", pin: "12" } },
          {
            integration: "billing",
            name: "odd\u001b[31m\nname",
            configs: { region: "mars-secret" },
            metadata: { plan: "tin" },
          },
        ],
      },
    });
  });
  afterAll(() => emulator.close());

  test.each(["v1", "11", "default"])("finds no violation of %s and ends with 0", async (release) => {
    expect(await run("--release", release)).toEqual({
      code: 0,
      stdout: "All 2 tenants match the schemas of the release.\n",
      stderr: "",
    });
  });

  test("reports an incomplete check of a release whose schema it cannot evaluate, and ends with 1", async () => {
    const { code, stdout, stderr } = await run("--release", "v0");
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: "No violations were found, but not everything could be checked.\n",
    });
    expect(stderr).toContain("the config schema of release 10 (none) is not fully checked");
  });

  test.each(["v2", "12", "latest"])("shows the violations of %s as a table and ends with 1", async (release) => {
    const { code, stdout } = await run("--release", release);
    expect(code).toBe(1);
    const lines = stdout.trim().split("\n");
    expect(lines[0]).toMatch(/^TENANT +ID +PATH +VIOLATION$/);
    expect(lines.slice(1).map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ["5002", "configs.account", "is required"],
      ["5002", "configs.region", expect.stringContaining("must be one of")],
      ["5002", "metadata.plan", expect.stringContaining("must be one of")],
    ]);
    expect(stdout).not.toContain("mars-secret");
    expect(stdout).not.toContain("\u001b");
  });

  test("writes the violations as JSON, with paths as strings", async () => {
    const { code, stdout } = await run("--release", "v2", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      checked: 2,
      violations: [{ tenantId: 5002, path: "configs.account", problem: "is required" }, {}, {}],
      isComplete: true,
    });
  });

  test.each(["yes", "other"] as const)(
    "says how many values it could not check, and ends with 1, with the variant maskedConfigs=%s",
    async (maskedConfigs) => {
      emulator.setVariants({ maskedConfigs });
      const { code, stdout } = await run("--release", "v3");
      expect({ code, stdout }).toEqual({
        code: 1,
        stdout:
          "No violations were found, but 1 value could not be checked: the platform hides it, or leaves it out.\n",
      });
      const asJson = await run("--release", "v3", "--json");
      const nothing = { violations: [], warnings: [] };
      expect(JSON.parse(asJson.stdout)).toEqual({ checked: 2, ...nothing, valuesNotChecked: 1, isComplete: false });
      emulator.setVariants({ maskedConfigs: "no" });
    },
  );

  test("counts a required secret as not checked if it is missing, and shows the violations of other values", async () => {
    emulator.setVariants({ maskedConfigs: "left-out" });
    const { code, stdout } = await run("--release", "v4");
    expect(code).toBe(1);
    expect(stdout).toMatch(/5002 +configs\.account +is required/);
    expect(stdout).not.toContain("configs.pin");
    expect(stdout).toMatch(/\n\n2 values could not be checked: the platform hides them, or leaves them out\.\n$/);
    emulator.setVariants({ maskedConfigs: "no" });
  });

  test("sends no request that could change the platform", async () => {
    emulator.clearRequests();
    await run("--release", "latest");
    expect(emulator.requests().every(({ method }) => method === "GET")).toBe(true);
  });
});

describe("a failure is reported in one line", () => {
  let emulator: Emulator;
  const key = "plain-key-5d21";
  const all = ["export", "--integration", "all"];

  beforeAll(async () => {
    emulator = await createEmulator();
  });
  afterAll(() => emulator.close());

  test.each<[string, string[], NodeJS.ProcessEnv, RegExp]>([
    ["an unknown integration", ["export", "--integration", "crm-to-biling"], {}, /did you mean "crm-to-billing"/],
    ["an unknown id", ["export", "--integration", "7"], {}, /no integration with id 7/],
    [
      "an unknown release",
      ["check", "--integration", "crm-to-billing", "--release", "v1.0.2"],
      {},
      /no release with tag "v1.0.2"; did you mean "v1.0.0"/,
    ],
    ["a wrong key", all, { INTEGRATION_PLATFORM_API_KEY: key }, /403/],
    ["no key", all, { INTEGRATION_PLATFORM_API_KEY: "" }, /no API key.*INTEGRATION_PLATFORM_API_KEY/],
    ["no address", all, { INTEGRATION_PLATFORM_BASE_URL: "" }, /no base URL/],
    [
      "an address that is none",
      ["--base-url", "nowhere", ...all],
      {},
      /--base-url or INTEGRATION_PLATFORM_BASE_URL: not a URL/,
    ],
    ["plain http to another host", ["--base-url", "http://example.test", ...all], {}, /http/],
  ])("%s ends with 1", async (_, args, env, message) => {
    const { code, stdout, stderr } = await runCli(emulator, args, env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .*\n$/);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(key);
  });

  test.each<[string, string[], RegExp]>([
    ["no command", [], /^Usage: integration-platform/],
    ["an unknown command", ["exprot"], /unknown command 'exprot'\n\(Did you mean export\?\)/],
    ["a missing option", ["export"], /required option '--integration <name>' not specified/],
    ["an unknown option", [...all, "--jsn"], /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    ["an unknown format", [...all, "--format", "xml"], /argument 'xml' is invalid. Allowed choices are yaml, ts/],
  ])("%s is a usage error and ends with 64", async (_, args, message) => {
    const { code, stdout, stderr } = await runCli(emulator, args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("--base-url can stand before and after the command", async () => {
    for (const args of [
      ["--base-url", "nowhere", ...all],
      [...all, "--base-url", "nowhere"],
    ]) {
      expect((await runCli(emulator, args)).stderr).toMatch(/--base-url or INTEGRATION_PLATFORM_BASE_URL: not a URL/);
    }
  });

  test("--version ends with 0 and prints the version of the package", async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, "../../../package.json"), "utf8"));
    expect(await runCli(undefined, ["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("--help ends with 0, and has an example and the exit codes", async () => {
    for (const command of ["export", "check", "drift"]) {
      const { code, stdout } = await runCli(undefined, [command, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Example/);
      expect(stdout).toMatch(/Exit codes:/);
    }
  });
});

test.each(["refuse", "ignore"] as const)(
  "checks every tenant of a platform with pages of 37 and the variant sorting=%s",
  async (sorting) => {
    const tenants = Array.from({ length: 250 }, (_, index) => ({ integration: "billing", name: `t-${index}` }));
    const integrations = [{ name: "billing", default_release_id: 1, releases: [{ id: 1, name: "one", tag: "v1" }] }];
    const emulator = await createEmulator({
      seed: { integrations, tenants },
      variants: { pageSize: "capped", sorting },
    });
    try {
      const { stdout } = await runCli(emulator, ["check", "--integration", "billing", "--release", "v1"]);
      expect(stdout).toBe("All 250 tenants match the schemas of the release.\n");
    } finally {
      await emulator.close();
    }
  },
);

describe("check, of a release with dynamic choices in a wrapper", () => {
  let emulator: Emulator;
  const run = (...args: string[]) => runCli(emulator, ["check", "--integration", "ledger", "--release", "v1", ...args]);
  const status = (accounts: string[]) => ({ dynamic_configs: { accounts } });
  const tenant = (name: string, configs: Record<string, unknown>, more: object = {}) => ({
    integration: "ledger",
    name,
    configs,
    ...more,
  });

  beforeAll(async () => {
    const release = JSON.parse(await readFile("test/fixtures/releases/wrapped.json", "utf8"));
    emulator = await createEmulator({
      seed: {
        integrations: [{ name: "ledger", releases: [{ ...release, id: 11, tag: "v1" }] }],
        tenants: [
          tenant("new", {}),
          tenant("chosen", { account: "main", owner: "U0431" }, { status: status(["main"]) }),
          tenant("before-init", { account: "whatever", batch_size: 20 }),
        ],
      },
    });
  });
  afterAll(() => emulator.close());

  test("no placeholder is a violation, before and after an init sync", async () => {
    expect(await run()).toEqual({
      code: 0,
      stdout: "All 3 tenants match the schemas of the release.\n",
      stderr: "",
    });
  });

  test("a choice that its tenant does not have is a warning, and a wrong type is a violation", async () => {
    const headers = { "x-api-key": emulator.apiKey, "content-type": "application/json" };
    const add = (body: object) =>
      fetch(`${emulator.url}/_emulator/tenants`, { method: "POST", headers, body: JSON.stringify(body) });
    await add(tenant("gone", { account: "gone", batch_size: 9000 }, { status: status(["main", "reserve"]) }));
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^All 4 tenants match.*\n\nTENANT +ID +PATH +WARNING\n/);
    expect(stdout).toMatch(
      /gone +\d+ +configs\.account +is not among the tenant's options for accounts: "main", "reserve"/,
    );
    expect(stdout).toMatch(/gone +\d+ +configs\.batch_size +must be from 1 to 500/);
    await add(tenant("typed", { account: "main", region: "mars" }));
    const judged = await run("--json");
    expect(judged.code).toBe(1);
    expect(JSON.parse(judged.stdout)).toMatchObject({
      violations: [{ tenant: "typed", path: "configs.region", problem: 'must be one of "eu", "us"' }],
      warnings: [{ path: "configs.batch_size" }, { path: "configs.account" }],
    });
  });
});
