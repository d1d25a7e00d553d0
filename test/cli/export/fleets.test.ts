import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { createEmulator, type Emulator } from "../../../src/emulator/index.ts";
import { runCli } from "../run-cli.ts";

const secret = "plain-secret-7f3a";
const hostileName = 'a: "b" #\u2028\n- c';
const fleetsKey = "integration-platform:fleets";

let emulator: Emulator;
let directory: string;
const run = (...args: string[]) => runCli(emulator, ["export", "--as", "fleets", ...args], {}, directory);

beforeAll(async () => {
  const tenant = (integration: string | number, name: string, more = {}) => ({ integration, name, ...more });
  emulator = await createEmulator({
    seed: {
      integrations: [
        { id: 1, name: "Bílling & Co. / ../../etc" },
        { id: 2, name: "secure" },
        { id: 3, name: "東京\n" },
        { id: 4, name: "Secure" },
        { id: 5, name: "empty" },
        { id: 6, name: "secure-4" },
        { id: 7, name: "x".repeat(300) },
      ],
      tenants: [
        tenant(1, "acme", { user_schedule: "0 1 * * *", configs: { region: "eu", token: secret } }),
        tenant(1, "Twin", { configs: { yes: "no", "line\nbreak # x": "a" }, metadata: { plan: "gold" } }),
        tenant(1, "Twin", { paused: false }),
        tenant(1, hostileName, { configs: { "x\u2028\nnew Evil() //": { secure: "" } } }),
        tenant(1, "__proto__", { configs: { region: "us" } }),
        tenant(2, "acme"),
        tenant(3, "acme"),
        tenant(4, "acme"),
        tenant(6, "secure"),
        tenant(7, "acme"),
      ],
    },
  });
});
afterAll(() => emulator.close());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "export-fleets-"));
});
afterEach(() => rm(directory, { recursive: true }));

const ownOfBilling = {
  acme: { adopt: 5001, schedule: "0 1 * * *", configs: { region: "eu" } },
  "Twin-5002": {
    name: "Twin",
    adopt: 5002,
    configs: { yes: "no", "line\nbreak # x": "a" },
    metadata: { plan: "gold" },
  },
  "Twin-5003": { name: "Twin", adopt: 5003, paused: false },
  [hostileName]: { adopt: 5004 },
  "__proto__-5005": { name: "__proto__", adopt: 5005, configs: { region: "us" } },
};

describe("export --as fleets", () => {
  test("writes a fleet for each integration, with the settings that its tenants share as defaults", async () => {
    const { code, stdout } = await run("--integration", "1");
    expect(code).toBe(0);
    expect(parse(stdout)).toEqual({
      config: {
        [fleetsKey]: {
          "billing-co-etc": {
            integration: "Bílling & Co. / ../../etc",
            defaults: { schedule: "none", paused: true },
            tenants: ownOfBilling,
          },
        },
      },
    });
    expect(stdout).toMatch(/configs\.token is not exported: it looks like a secret/);
  });

  test("gives each fleet a unique key that is also a file name", async () => {
    const { config } = parse((await run("--integration", "all")).stdout);
    expect(Object.keys(config[fleetsKey])).toEqual([
      "billing-co-etc",
      "secure-4-4",
      "secure-2",
      "secure-4",
      "x".repeat(60),
      "integration",
    ]);
    expect(config[fleetsKey]["secure-4-4"]).toEqual({
      integration: "Secure",
      tenants: { acme: { adopt: 5008, schedule: "none", paused: true } },
    });
  });

  test("leaves out what looks like a secret, and names its fleet and its tenant", async () => {
    for (const more of [[], ["--format", "ts"], ["--json"], ["--tenants-to", "tenants"]]) {
      const { stdout, stderr } = await run("--integration", "all", ...more);
      expect(stdout + stderr).not.toContain(secret);
      expect(stderr).toMatch(/^billing-co-etc +acme +configs\.token +looks like a secret$/m);
      expect(stderr).not.toMatch(/[\u0085\u2028\u2029]/);
    }
    expect(await readFile(join(directory, "tenants/billing-co-etc.yaml"), "utf8")).not.toContain(secret);
  });

  test("writes a TypeScript program that declares the same fleets", async () => {
    const { code, stdout } = await run("--integration", "all", "--format", "ts");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^import \{ type FleetTenantArgs, TenantFleet \} from "pulumi-integration-platform";/);
    expect(stdout).toContain("    // configs.token is not exported: it looks like a secret\n");
    const fleets = await declaredBy(stdout);
    expect(Object.keys(fleets)).toHaveLength(6);
    expect(fleets["billing-co-etc"]).toMatchObject({
      integration: "Bílling & Co. / ../../etc",
      tenants: { ...ownOfBilling, "Twin-5003": { adopt: 5003, schedule: "none", paused: false } },
    });
  });

  test("writes only JSON to standard output", async () => {
    const { code, stdout } = await run("--integration", "secure", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        key: "secure",
        integration: "secure",
        tenants: [{ key: "acme", entry: { adopt: 5006, schedule: "none", paused: true }, leftOut: [] }],
      },
    ]);
  });

  test("writes an empty stack for an integration without tenants", async () => {
    const { code, stdout, stderr } = await run("--integration", "empty", "--tenants-to", "tenants");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(parse(stdout)).toEqual({ config: { [fleetsKey]: {} } });
    expect(await readdir(directory)).toEqual([]);
  });

  test("sends no request that could change the platform", async () => {
    emulator.clearRequests();
    await run("--integration", "all");
    expect(emulator.requests().every(({ method }) => method === "GET")).toBe(true);
  });
});

test.each(["fleets", "tenants"])(
  "export --as %s gives no default to a setting that some tenants do not declare",
  async (kind) => {
    const tenants = ["one", "two", "three"].map((name) => ({ integration: "crm", name, integration_release_id: 11 }));
    const unknown = { integration: "crm", name: "elsewhere", integration_release_id: 999 };
    const integrations = [{ name: "crm", releases: [{ id: 11, name: "one" }] }];
    const platform = await createEmulator({ seed: { integrations, tenants: [...tenants, unknown] } });
    onTestFinished(() => platform.close());
    const { stdout } = await runCli(platform, ["export", "--as", kind, "--integration", "crm"], {}, directory);
    const { config } = parse(stdout);
    const fleet = config[fleetsKey]?.crm;
    const defaults = fleet?.defaults ?? config["integration-platform:tenantDefaults"];
    const entries = fleet?.tenants ?? config["integration-platform:tenants"];
    const releases = Object.entries(entries).map(([key, entry]) => [key, { ...defaults, ...Object(entry) }.release]);
    const release = { id: 11 };
    expect(releases).toEqual([
      ["elsewhere", undefined],
      ["one", release],
      ["three", release],
      ["two", release],
    ]);
  },
);

describe("export --as fleets --tenants-to", () => {
  test("writes the tenants of each fleet to a file that the fleet names", async () => {
    const { code, stdout } = await run("--integration", "all", "--tenants-to", "tenants/of it");
    expect(code).toBe(0);
    const fleets = parse(stdout).config[fleetsKey];
    expect(fleets["billing-co-etc"]).toEqual({
      integration: "Bílling & Co. / ../../etc",
      defaults: { schedule: "none", paused: true },
      tenantsFrom: "tenants/of it/billing-co-etc.yaml",
    });
    const files = await readdir(join(directory, "tenants/of it"));
    expect(files.sort()).toEqual(
      Object.keys(fleets)
        .map((key) => `${key}.yaml`)
        .sort(),
    );
    const text = await readFile(join(directory, fleets["billing-co-etc"].tenantsFrom), "utf8");
    expect(parse(text)).toEqual(ownOfBilling);
    expect(text).toMatch(/# configs\.token is not exported: it looks like a secret$/m);
    expect(text).not.toMatch(/[\u0085\u2028\u2029]|^new Evil/m);
    expect(stdout.split("#")).toEqual([
      "",
      expect.stringMatching(/^ yaml-language-server: \$schema=\.\/node_modules\//),
    ]);
  });

  test("names the file relative to the working directory, also for an absolute folder", async () => {
    const { stdout } = await run("--integration", "secure", "--tenants-to", join(directory, "a/../b"));
    expect(parse(stdout).config[fleetsKey].secure.tenantsFrom).toBe("b/secure.yaml");
    expect(await readdir(join(directory, "b"))).toEqual(["secure.yaml"]);
  });

  test("overwrites no file, and then writes none", async () => {
    await mkdir(join(directory, "tenants"));
    await writeFile(join(directory, "tenants/secure-2.yaml"), "mine\n");
    const { code, stdout, stderr } = await run("--integration", "all", "--tenants-to", "tenants");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: no file was written, .*tenants\/secure-2\.yaml\. .*--tenants-to\n$/);
    expect(await readdir(join(directory, "tenants"))).toEqual(["secure-2.yaml"]);
    expect(await readFile(join(directory, "tenants/secure-2.yaml"), "utf8")).toBe("mine\n");
  });

  test("reports in one line which file it cannot write", async () => {
    await writeFile(join(directory, "tenants"), "");
    const { code, stdout, stderr } = await run("--integration", "secure", "--tenants-to", "tenants");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: cannot write the tenants of fleet "secure" to tenants\/secure\.yaml: .*\n$/);
  });

  test("keeps a large config below the limit of the engine", async () => {
    const tenants = Array.from({ length: 200 }, (_, index) => ({
      integration: "one",
      name: `tenant-${index}`,
      configs: { text: "x".repeat(600) },
    }));
    const big = await createEmulator({ seed: { integrations: [{ name: "one" }], tenants } });
    const args = ["export", "--integration", "one", "--as", "fleets"];
    expect((await runCli(big, args, {}, directory)).stderr).toMatch(
      /warning: the config has 1\d\d KiB, .*--tenants-to FOLDER/,
    );
    const { stdout, stderr } = await runCli(big, [...args, "--tenants-to", "tenants"], {}, directory);
    expect(stderr).toBe("");
    expect(stdout.length).toBeLessThan(1000);
    await big.close();
  });

  test.each([
    ["tenants that are resources of their own", ["--as", "tenants"]],
    ["a program", ["--format", "ts"]],
    ["JSON", ["--json"]],
  ])("is a usage error with %s and ends with 64", async (_, args) => {
    const { code, stdout, stderr } = await run("--integration", "all", "--tenants-to", "tenants", ...args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toMatch(/--tenants-to <folder>' requires --as fleets/);
    expect(await readdir(directory)).toEqual([]);
  });
});

/** Runs the program with a class that records its arguments, and returns what the program declares. */
async function declaredBy(program: string): Promise<Record<string, unknown>> {
  const statements = program.replace(/^import .*$/m, "");
  const text = `export const all = {}; class TenantFleet { constructor(key, args) { all[key] = args; } }\n${statements}`;
  const { all } = await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(text))}`);
  return all;
}
