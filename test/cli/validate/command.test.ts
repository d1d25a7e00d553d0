import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/index.ts";
import { cipher } from "../../stack/broken-stacks.ts";
import { runCli } from "../run-cli.ts";

const repository = join(import.meta.dirname, "../../..");

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "integration-platform-validate-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const validate = (...args: string[]) => runCli(undefined, ["validate", ...args], {}, folder);

const goodStack = "config: { integration-platform:tenants: { acme: { integration: crm-to-billing } } }\n";
const brokenStack = `config:
  integration-platform:tenants:
    acme: { integration: crm, paused: "no", shedule: none }
  integration-platform:fleets:
    billing: { integration: crm, tenantsFrom: tenants }
`;
const messages = [
  `Pulumi.broken.yaml:3:31: tenants.acme.paused: must be true or false; "yes", "no", "on" and "off" are strings`,
  'Pulumi.broken.yaml:3:45: tenants.acme.shedule: is not a setting of a tenant; did you mean "schedule"?',
  expect.stringMatching(
    /^tenants\/dune\.yaml:1:1: fleets\.billing\.tenants\.dune\.schedule: has 1 field; a cron schedule/,
  ),
];

describe("validate", () => {
  test.each([
    [
      "a byte of Latin-1",
      Buffer.from("config:\n  # M\xfcnchen\n", "latin1"),
      ":2:6: is not UTF-8: save the file as UTF-8",
    ],
    ["a character that is cut off", Buffer.from("# 👋").subarray(0, -1), ":1:3: is not UTF-8: save the file as UTF-8"],
    ["half of a character", Buffer.from([0x0a, 0xed, 0xa0, 0xbd]), ":2:1: is not UTF-8: save the file as UTF-8"],
    ["UTF-16", Buffer.from("\uFEFFconfig: {}\n", "utf16le"), ":1:1: is UTF-16: save the file as UTF-8"],
    [
      "UTF-16 of the other order",
      Buffer.from("\uFEFFconfig: {}\n", "utf16le").swap16(),
      ":1:1: is UTF-16: save the file as UTF-8",
    ],
    [
      "UTF-16 without a mark",
      Buffer.from("config: {}\n", "utf16le"),
      ":1:2: has a character NUL, as a file in UTF-16 has: save the file as UTF-8",
    ],
  ])("names the place of %s, in each file that it reads", async (_, bytes, problem) => {
    await put({ "Pulumi.good.yaml": goodStack, "tenants/good.yaml": "{}\n" });
    await writeFile(join(folder, "Pulumi.bad.yaml"), bytes);
    await writeFile(join(folder, "tenants/bad.yaml"), bytes);
    await writeFile(join(folder, "Pulumi.yaml"), bytes);
    const all = await validate("Pulumi.bad.yaml", "Pulumi.good.yaml", "tenants/bad.yaml");
    expect(all.code).toBe(1);
    const lines = `${all.stdout}${all.stderr}`.split("\n");
    for (const name of ["Pulumi.bad.yaml", "Pulumi.yaml", "tenants/bad.yaml"]) {
      expect(lines.filter((line) => line.startsWith(`${name}${problem}`))).toHaveLength(1);
    }
  });

  test("finds nothing wrong with the stacks of this repository, without any environment, and ends with 0", async () => {
    expect(await runCli(undefined, ["validate"], {}, repository)).toEqual({
      code: 0,
      stdout: "No problems in Pulumi.production.yaml, Pulumi.sandbox.yaml (not compared with the platform).\n",
      stderr: "",
    });
  });

  test("knows what Pulumi.yaml sets for all stacks, unless a stack's file has the key", async () => {
    const config = `  integration-platform:tenantDefaults: { value: { integration: crm-to-billing } }
  integration-platform:builds: { value: { v2: { integration: crm-to-billing, tag: v2 } } }
`;
    await put({
      "Pulumi.yaml": `name: demo\nruntime: nodejs\nconfig:\n${config}`,
      "Pulumi.good.yaml": "config: { integration-platform:tenants: { acme: { release: { build: v2 } } } }\n",
      "Pulumi.own.yaml":
        "config: { integration-platform:tenants: { acme: {} }, integration-platform:tenantDefaults: { paused: true } }\n",
      "Pulumi.none.yaml": "encryptionsalt: v1\n",
    });
    const { code, stdout, stderr } = await validate();
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^Pulumi\.own\.yaml:1:\d+: tenants\.acme: has no integration/),
      "1 problem in Pulumi.good.yaml, Pulumi.none.yaml, Pulumi.own.yaml.",
      "",
    ]);
  });

  test("shows problems of what Pulumi.yaml sets at their places there", async () => {
    await put({
      "Pulumi.yaml":
        'name: integration-platform\nruntime: nodejs\nconfig:\n  tenants: { default: { acme: { paused: "no" } } }\n',
      "Pulumi.dev.yaml": "encryptionsalt: v1\n",
    });
    const { code, stdout } = await validate();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Pulumi\.yaml:4:\d+: tenants\.acme\.paused: must be true or false/);
  });

  test("checks keys without a namespace if the project has the name of the namespace, as Pulumi then reads them", async () => {
    await put({
      "Pulumi.yaml": "name: integration-platform\nruntime: nodejs\n",
      "Pulumi.dev.yaml": "config: { tenants: { acme: {} } }\n",
    });
    expect((await validate()).stdout).toMatch(/^Pulumi\.dev\.yaml:1:\d+: tenants\.acme: has no integration/);
    await put({ "Pulumi.yaml": "name: demo\nruntime: nodejs\n" });
    expect((await validate()).code).toBe(0);
  });

  test("says that it could not check everything if a stack names environments of Pulumi ESC", async () => {
    const tenants = 'integration-platform:tenants: { acme: { paused: "no" }, dune: {} }';
    await put({ "Pulumi.dev.yaml": `environment: [prod]\nconfig: { ${tenants} }\n` });
    const { code, stdout, stderr } = await validate("--online");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Pulumi\.dev\.yaml:2:\d+: tenants\.acme\.paused: .*\n1 problem/);
    expect(stderr).toMatch(/^error: not everything could be checked: Pulumi\.dev\.yaml names environments .*\n$/);
    await put({ "Pulumi.dev.yaml": `environment: []\n${goodStack}` });
    expect((await validate()).code).toBe(0);
  });

  test("shows the problems of all stacks of a folder and of their tenants' files, a line each, and ends with 1", async () => {
    await put({
      "Pulumi.good.yaml": goodStack,
      "Pulumi.broken.yaml": brokenStack,
      "tenants/dune.yaml": "schedule: x\n",
    });
    const { code, stdout, stderr } = await validate();
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout.split("\n")).toEqual([...messages, "3 problems in Pulumi.broken.yaml, Pulumi.good.yaml.", ""]);
  });

  test("checks one stack with --stack, in another folder with --cwd, with paths from the working directory", async () => {
    await put({ "a/Pulumi.good.yaml": goodStack, "a/Pulumi.broken.yaml": brokenStack, "a/tenants/dune.yaml": "" });
    expect(await validate("--cwd", "a", "--stack", "good")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/a.Pulumi.good.yaml \(/),
    });
    const { code, stdout } = await validate("--cwd", "a", "--stack", "broken");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^a\/Pulumi\.broken\.yaml:3:31: /);
  });

  test("shows problems as JSON", async () => {
    await put({ "Pulumi.broken.yaml": brokenStack, "tenants/dune.yaml": "schedule: x\n" });
    const { code, stdout } = await validate("--format", "json");
    expect(code).toBe(1);
    const { problems, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({
      checked: ["Pulumi.broken.yaml"],
      warnings: [],
      isOnline: false,
      isComplete: true,
      failures: [],
    });
    expect(problems).toHaveLength(3);
    expect(problems[0]).toEqual({
      file: "Pulumi.broken.yaml",
      line: 3,
      column: 31,
      path: "tenants.acme.paused",
      message: 'must be true or false; "yes", "no", "on" and "off" are strings',
    });
  });

  test("shows problems as annotations of GitHub, with paths from the repository and nothing that ends an annotation", async () => {
    const yaml = 'config: { integration-platform:tenants: { "100%,\\r\\nacme": { integration: crm } } }\n';
    await put({ "a,b:c/Pulumi.broken.yaml": yaml });
    const args = ["validate", "--format", "github"];
    const { code, stdout } = await runCli(undefined, args, { GITHUB_WORKSPACE: folder }, join(folder, "a,b:c"));
    expect(code).toBe(1);
    const [annotation, summary] = stdout.split("\n");
    expect(annotation).toMatch(/^::error file=a%2Cb%3Ac\/Pulumi\.broken\.yaml,line=1,col=43::tenants\.100%25,\\u000d/);
    expect(summary).toBe("1 problem in Pulumi.broken.yaml.");
  });

  test("warns of plaintext that looks like a secret, and still ends with 0", async () => {
    await put({
      "Pulumi.a.yaml": `config:
  integration-platform:apiKey: plain-key-31
  integration-platform:allowPlaintextSecrets: [configs.open]
  integration-platform:tenants:
    acme: { integration: crm, configs: { a: "ghp_0123456789", b: { secure: "${cipher}" }, open: "ghp_0123456789", region: eu } }
`,
    });
    const { code, stdout } = await validate();
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^Pulumi\.a\.yaml:2:3: warning: apiKey: is plaintext\. Encrypt it with/),
      expect.stringMatching(
        /^Pulumi\.a\.yaml:5:42: warning: tenants\.acme\.configs\.a: .* looks like a secret\. Run `[^`]* 'integration-platform:tenants\.acme\.configs\.a'`, or list configs\.a in/,
      ),
      "No problems in Pulumi.a.yaml (not compared with the platform).",
      "",
    ]);
    expect((await validate("--format", "github")).stdout).toMatch(
      /^::warning file=.*Pulumi\.a\.yaml,line=2,col=3::apiKey/,
    );
    expect(JSON.parse((await validate("--format", "json")).stdout).warnings).toHaveLength(2);
    expect(stdout).not.toMatch(/plain-key|ghp_/);

    await put({
      "Pulumi.a.yaml":
        "config: { integration-platform:apiKey: plain-key-31, integration-platform:allowPlaintextSecrets: [apiKey] }\n",
    });
    expect((await validate()).stdout).not.toContain("warning");
  });

  test("checks a file of tenants as one of the fleet that names it, and shows its problems only", async () => {
    await put({
      "Pulumi.broken.yaml": brokenStack,
      "tenants/dune.yaml": "release: { build: v9 }\n",
      "one.yaml": "a: {}",
    });
    const { code, stdout } = await validate("tenants/dune.yaml");
    expect(code).toBe(1);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(
        /^tenants\/dune\.yaml:1:12: fleets\.billing\.tenants\.dune\.release\.build: is not the key of a build/,
      ),
      "1 problem in tenants/dune.yaml.",
      "",
    ]);
  });

  test("checks a file of one customer with the fields and the groups of the fleets that name it, each problem once", async () => {
    const stack = (group: string) => `config:
  integration-platform:fleets:
    billing:
      integration: crm
      groups: { ${group}: {} }
      tenantsFrom: [{ path: customers, fields: [groups, metadata] }, { path: technical, fields: [configs] }]
`;
    await put({
      "Pulumi.a.yaml": stack("gold"),
      "Pulumi.b.yaml": stack("silver"),
      "customers/acme.yaml": "groups: gold\nconfigs: {}\nmetadata: []\n",
      "customers/bird.yaml": "pause: true\n",
      "technical/acme.yaml": "metadata: {}\n",
    });
    const { code, stdout } = await validate("customers/acme.yaml");
    expect(code).toBe(1);
    expect(stdout.split("\n")).toEqual([
      'customers/acme.yaml:1:1: fleets.billing.tenants.acme.groups: is not a group of this fleet; there are "silver"',
      "customers/acme.yaml:2:1: fleets.billing.tenants.acme.configs: cannot be declared in customers: tenantsFrom allows only the fields groups and metadata there",
      expect.stringMatching(/^customers\/acme\.yaml:3:1: fleets\.billing\.tenants\.acme\.metadata: must be/),
      "3 problems in customers/acme.yaml.",
      "",
    ]);
    expect((await validate("technical/acme.yaml")).stdout).toMatch(/^technical\/acme\.yaml:1:1: [^\n]*\n1 problem in/);
  });

  test("checks a file of tenants that no fleet names by itself", async () => {
    await put({ "new.yaml": "acme: { release: { build: v9 }, pause: true, groups: [any] }\nBeta: { groups: gold }\n" });
    const { stdout } = await validate("new.yaml");
    expect(stdout.split("\n")).toEqual([
      'new.yaml:1:33: acme.pause: is not a setting of a tenant; did you mean "paused"?',
      expect.stringMatching(/^new\.yaml:2:1: Beta: is the tenant's name, which must be lowercase letters/),
      "2 problems in new.yaml.",
      "",
    ]);
  });

  test("escapes what could command a terminal, and shows neither a value nor a cipher", async () => {
    const configs = `{ token: { secure: "${cipher}x" }, pin: "clear-pin", n: 9007199254740993 }`;
    await put({
      "Pulumi.a.yaml": `config:\n  integration-platform:tenants: { "\\e[31m": { integration: crm, configs: ${configs} } }\n`,
    });
    const { stdout } = await validate();
    expect(stdout).toContain("tenants.\\u001b[31m.configs.token: is not a whole encrypted value");
    expect(stdout).not.toContain("\u001b");
    expect(stdout).not.toMatch(/AAAA|clear-pin|900719/);
  });

  test.each<[string, string[], RegExp]>([
    ["no stack in the folder", [], /^error: there is no stack's file \(Pulumi\.<stack>\.yaml\) in .*--cwd\n$/],
    ["a stack that does not exist", ["--stack", "x"], /^error: there is no Pulumi\.x\.yaml in .*\n$/],
    ["a file that does not exist", ["x.yaml"], /^error: there is no file x\.yaml\n$/],
    ["a folder that does not exist", ["--cwd", "x"], /^error: there is no folder .*x\n$/],
    ["the project's own file", ["Pulumi.yaml"], /^error: Pulumi\.yaml is the file of the project/],
  ])("ends with 1 for %s", async (_, args, message) => {
    await put({ "Pulumi.yaml": "name: x\n" });
    const { code, stdout, stderr } = await validate(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test.each<[string[], RegExp]>([
    [["--stack", "a", "Pulumi.b.yaml"], /'--stack <name>' cannot be used with files/],
    [["--format", "xml"], /Allowed choices are text, json, github/],
    [["--onlin"], /unknown option '--onlin'/],
  ])("ends with 64 for a wrong command line: %j", async (args, message) => {
    const { code, stderr } = await validate(...args);
    expect(code).toBe(64);
    expect(stderr).toMatch(message);
  });

  test("--help has examples and the exit codes", async () => {
    const { code, stdout } = await validate("--help");
    expect(code).toBe(0);
    expect(stdout).toMatch(/Examples:.*Exit codes:\n {2}0 .*\n {2}1 .*\n {2}64 /s);
  });
});

describe("validate --online", () => {
  let emulator: Emulator;

  beforeAll(async () => {
    emulator = await createEmulator();
  });
  afterAll(() => emulator.close());

  const secret = `{ secure: "${cipher}" }`;
  const stackOf = (tenants: string, more = "") =>
    `config:\n  integration-platform:baseUrl: ${emulator.url}\n  integration-platform:apiKey: ${secret}\n${more}  integration-platform:tenants:\n${tenants}`;
  const online = (env: NodeJS.ProcessEnv = { INTEGRATION_PLATFORM_API_KEY: emulator.apiKey }, ...args: string[]) =>
    runCli(undefined, ["validate", "--online", ...args], env, folder);

  test("compares integrations, releases and configs with the platform at the stack's address, and only reads", async () => {
    await put({
      "Pulumi.a.yaml":
        stackOf(`    acme: { integration: crm-to-billing, release: { tag: v1.0.0 }, configs: { region: mars } }
    bird: { integration: crm-to-biling }
    cedar: { integration: crm-to-billing, release: { tag: v9 } }
    dune: { integration: crm-to-billing, release: { tag: v1.0.0 }, configs: { api_token: plain-text } }
`),
    });
    emulator.clearRequests();
    const { code, stdout, stderr } = await online();
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^Pulumi\.a\.yaml:5:79: tenants\.acme\.configs\.region: must be one of "eu"/),
      expect.stringMatching(/^Pulumi\.a\.yaml:6:13: tenants\.bird\.integration: .*did you mean "crm-to-billing"/),
      expect.stringMatching(/^Pulumi\.a\.yaml:7:54: tenants\.cedar\.release\.tag: .*no release with tag "v9"/),
      expect.stringMatching(
        /^Pulumi\.a\.yaml:8:79: tenants\.dune\.configs\.api_token: is in clear, and the release's schema marks it as a secret/,
      ),
      "4 problems in Pulumi.a.yaml.",
      "",
    ]);
    expect(stdout).not.toContain("plain-text");
    expect(emulator.requests().every(({ method }) => method === "GET")).toBe(true);
  });

  test("finds a rollout's target that does not exist, and says nothing about one that is encrypted", async () => {
    const fleet = (tag: string) => `  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      defaults: { release: { tag: ${tag} } }
      tenants: { acme: { configs: { batch_size: 5 } } }
      rollout: { waves: [{ tenants: [acme] }, { percent: 100 }], approvals: { v9.0.0: { early: CHG-1 } } }
`;
    await put({ "Pulumi.a.yaml": stackOf("    bird: { integration: crm-to-billing }\n", fleet("v9.0.0")) });
    const { code, stdout } = await online();
    expect(code).toBe(1);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(
        /^Pulumi\.a\.yaml:7:30: fleets\.billing\.defaults\.release\.tag: .*no release with tag "v9\.0\.0"/,
      ),
      expect.stringMatching(
        /^Pulumi\.a\.yaml:9:89: fleets\.billing\.rollout\.approvals\.v9\.0\.0\.early: is not the name of a wave/,
      ),
      "2 problems in Pulumi.a.yaml.",
      "",
    ]);
    await put({ "Pulumi.a.yaml": stackOf("    bird: { integration: crm-to-billing }\n", fleet(secret)) });
    expect(await online()).toMatchObject({ code: 0, stderr: "" });
  });

  test("takes encrypted values for valid: of any type, of an enum, of what is required, of the release", async () => {
    await put({
      "Pulumi.a.yaml": stackOf(`    acme:
      integration: crm-to-billing
      release: { tag: v1.0.0 }
      configs: { region: ${secret}, batch_size: ${secret}, api_token: ${secret}, mapping: { a: ${secret} } }
    bird: { integration: crm-to-billing, release: { tag: ${secret} }, configs: { region: mars } }
`),
    });
    expect(await online()).toEqual({ code: 0, stdout: "No problems in Pulumi.a.yaml.\n", stderr: "" });
  });

  test("shows what it finds without the platform if the platform cannot be asked, and says that this is not all", async () => {
    await put({ "Pulumi.a.yaml": stackOf("    acme: { integration: crm, paused: 1 }\n") });
    const withoutKey = await online({});
    expect(withoutKey.code).toBe(1);
    expect(withoutKey.stdout).toMatch(/^Pulumi\.a\.yaml:5:31: tenants\.acme\.paused: .*\n1 problem in/);
    expect(withoutKey.stderr).toMatch(
      /^error: Pulumi\.a\.yaml cannot .* encrypted.*set INTEGRATION_PLATFORM_API_KEY\n$/,
    );

    await put({ "Pulumi.a.yaml": stackOf("    acme: { integration: crm }\n") });
    const env = { INTEGRATION_PLATFORM_API_KEY: "wrong-key-77" };
    const refused = await online(env);
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^No problems were found in .* but not everything could be checked/),
    });
    expect(refused.stderr).toMatch(/^error: Pulumi\.a\.yaml cannot be compared with the platform: .*403/);
    expect(JSON.parse((await online(env, "--format", "json")).stdout)).toMatchObject({
      problems: [],
      isComplete: false,
    });
    expect((await online(env, "--format", "github")).stdout).toMatch(/^::error::Pulumi\.a\.yaml cannot be compared/);
    expect(refused.stderr).not.toContain("wrong-key-77");
  });

  test("warns if the environment names another platform than the stack's file", async () => {
    await put({ "Pulumi.a.yaml": "config:\n  integration-platform:baseUrl: https://platform.example.com\n" });
    const env = { INTEGRATION_PLATFORM_API_KEY: emulator.apiKey, INTEGRATION_PLATFORM_BASE_URL: emulator.url };
    const { code, stderr } = await online(env);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^warning: INTEGRATION_PLATFORM_BASE_URL .* wins over .*https:\/\/platform\.example\.com\)\n$/,
    );
  });

  test("says that a file of tenants without a stack cannot be compared", async () => {
    await put({ "new.yaml": "acme: {}\n" });
    const { code, stderr } = await online(undefined, "new.yaml");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: new\.yaml cannot be compared with the platform: no stack in .* names it\n$/);
  });

  test("is not complete if a release has a schema that cannot be checked", async () => {
    const release = { id: 1, name: "one", tag: "v1", config_schema: { $ref: "https://schemas.example.com/a.json" } };
    const odd = await createEmulator({ seed: { integrations: [{ name: "odd", releases: [release] }] } });
    const yaml =
      "config: { integration-platform:tenants: { acme: { integration: odd, release: { tag: v1 }, configs: { a: 1 } } } }\n";
    await put({ "Pulumi.a.yaml": yaml });
    const { code, stdout, stderr } = await runCli(odd, ["validate", "--online", "--format", "json"], {}, folder);
    await odd.close();
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ problems: [], isComplete: false });
    expect(stderr).toMatch(/^warning: Pulumi\.a\.yaml: the config schema of release 1 .*\nerror: /);
  });
});

describe("validate --online, of a release in each of its forms", () => {
  let emulator: Emulator;
  const long = "b".repeat(64);

  beforeAll(async () => {
    const release = JSON.parse(await readFile("test/fixtures/releases/wrapped.json", "utf8"));
    const { config_schema, metadata_schema } = release;
    const bare = { ...release, config_schema: config_schema.schema, metadata_schema: metadata_schema.schema };
    const configs = { account: "main" };
    emulator = await createEmulator({
      seed: {
        integrations: [
          {
            name: "ledger",
            default_release_id: 11,
            releases: [
              { ...release, id: 11, tag: "wrapped" },
              { ...bare, id: 12, tag: "bare" },
            ],
          },
        ],
        tenants: [
          {
            integration: "ledger",
            name: "known",
            configs,
            status: { dynamic_configs: { accounts: ["main", "reserve"] } },
          },
          { integration: "ledger", name: long, configs },
        ],
      },
    });
  });
  afterAll(() => emulator.close());

  const online = async (tenants: string, more = "", ...args: string[]) => {
    const config = `config:\n  integration-platform:baseUrl: ${emulator.url}\n${more}  integration-platform:tenants:\n${tenants}`;
    await put({ "Pulumi.a.yaml": config });
    const env = { INTEGRATION_PLATFORM_API_KEY: emulator.apiKey };
    return runCli(undefined, ["validate", "--online", ...args], env, folder);
  };

  test.each(["wrapped", "bare"])("finds a typo of a type and of a choice in the form %s", async (tag) => {
    const { code, stdout } = await online(
      `    acme: { integration: ledger, release: { tag: ${tag} }, configs: { account: x, region: mars, batch_size: "9" } }
    bird: { integration: ledger, release: { tag: ${tag} }, configs: { account: x, start_at: "14:30" }, metadata: { cursor: 1 } }
`,
    );
    expect(code).toBe(1);
    expect(stdout.split("\n").map((line) => line.replace(/ \(schema of.*/, ""))).toEqual([
      expect.stringMatching(
        /^Pulumi\.a\.yaml:4:\d+: tenants\.acme\.configs\.region: must be one of "eu", "us"\. To allow it, set schemaViolations: warn$/,
      ),
      expect.stringMatching(/^Pulumi\.a\.yaml:4:\d+: tenants\.acme\.configs\.batch_size: must be a whole number/),
      expect.stringMatching(/^Pulumi\.a\.yaml:5:\d+: tenants\.bird\.metadata\.cursor: must be a string/),
      "3 problems in Pulumi.a.yaml.",
      "",
    ]);
  });

  test("warns of a choice that the tenant does not have, at its line", async () => {
    const { code, stdout } = await online(
      "    known: { integration: ledger, adopt: true, configs: { account: mian } }\n",
    );
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(
        /^Pulumi\.a\.yaml:4:59: warning: tenants\.known\.configs\.account: is not among .*: "main", "reserve"\. They may be old/,
      ),
      "No problems in Pulumi.a.yaml.",
      "",
    ]);
  });

  test("takes violations as the stack or a tenant wants them", async () => {
    const tenants = (more: string) =>
      `    acme: { integration: ledger, configs: { account: x, region: mars }${more} }\n`;
    const stackWide = (word: string) => `  integration-platform:schemaViolations: ${word}\n`;
    const warned = await online(tenants(""), stackWide("warn"));
    expect(warned).toMatchObject({ code: 0, stdout: expect.stringContaining("warning: tenants.acme.configs.region") });
    expect(warned.stdout.split("schemaViolations")).toHaveLength(2);
    const nothing = { code: 0, stdout: "No problems in Pulumi.a.yaml.\n" };
    expect(await online(tenants(""), stackWide("off"))).toMatchObject(nothing);
    expect(await online(tenants(", schemaViolations: off"))).toMatchObject(nothing);
    expect(await online(tenants(", schemaViolations: error"), stackWide("off"))).toMatchObject({ code: 1 });
  });

  test("a name of more than 63 characters is only for a tenant that has it", async () => {
    const declare = (name: string) => `    acme: { integration: ledger, name: ${name}, configs: { account: main } }\n`;
    expect(await online(declare(long))).toMatchObject({ code: 0, stdout: "No problems in Pulumi.a.yaml.\n" });
    const { code, stdout } = await online(declare("c".repeat(64)));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Pulumi\.a\.yaml:4:34: tenants\.acme\.name: must have at most 63 characters, and has 64\n/);
  });
});
