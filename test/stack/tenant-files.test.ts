import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { errorLines, type StackFolder, stackFolder } from "./stack-folder.ts";

let folder: StackFolder;

beforeEach(async () => {
  folder = await stackFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

/** Reads a stack with one fleet, whose `tenantsFrom` is this. */
function readFrom(tenantsFrom: string, more = "") {
  return folder.read(`config:
  integration-platform:fleets:
    billing: { integration: crm, tenantsFrom: ${tenantsFrom} ${more} }
`);
}

async function tenantsFrom(path: string) {
  const { fleets } = await readFrom(path);
  return Object(fleets[0]?.argsOf({}).tenants);
}

/** The problems that a stack is refused with, a line each. */
async function problemsOf(reading: Promise<unknown>): Promise<string[]> {
  const [head, ...problems] = await errorLines(reading);
  expect(head).toMatch(/^the stack's config has .*; nothing has been changed:$/);
  return problems;
}

describe("a fleet's tenants are read", () => {
  test("from a file, by key; {} has none", async () => {
    await folder.put("tenants/billing.yaml", "acme: { paused: true }\n1001: {}\n");
    await folder.put("tenants/empty.yaml", "{} # nobody yet\n");
    expect(await tenantsFrom("tenants/billing.yaml")).toEqual({ acme: { paused: true }, 1001: {} });
    expect(await tenantsFrom("tenants/empty.yaml")).toEqual({});
  });

  test("from a folder, where the name of a file is the key; an empty file declares a tenant without settings", async () => {
    await folder.put("tenants/acme.yaml", "paused: true\n");
    await folder.put("tenants/bluebird.yml", "");
    await folder.put("tenants/cedar.YAML", "");
    await folder.put("tenants/README.md", "Not a tenant.");
    expect(await tenantsFrom("tenants")).toEqual({ acme: { paused: true }, bluebird: {}, cedar: {} });
  });

  test("with dates and numbers as JavaScript reads them, as the engine does not read these files", async () => {
    await folder.put(
      "tenants.yaml",
      "acme: { metadata: { contract_end: 2027-01-31, cost_center: 471, size: 1_000 } }\n",
    );
    const metadata = { contract_end: "2027-01-31", cost_center: 471, size: "1_000" };
    expect(await tenantsFrom("tenants.yaml")).toEqual({ acme: { metadata } });
  });

  test("from a list of files and folders", async () => {
    await folder.put("one/acme.yaml", "paused: true\n");
    await folder.put("more.yaml", "bluebird: {}\n");
    expect(await tenantsFrom("[one, more.yaml]")).toEqual({ acme: { paused: true }, bluebird: {} });
  });

  test("from a file in which many tenants share an anchor", async () => {
    const shared = Array.from({ length: 300 }, (_, index) => `t-${index}: { <<: *all, name: n-${index} }`);
    const list = Array.from({ length: 1100 }, () => 1);
    const all = `&all { configs: &configs { region: eu, list: [${list}] } }`;
    await folder.put("tenants.yaml", `t: ${all}\nu: *all\n${shared.join("\n")}\n`);
    const tenants = await tenantsFrom("tenants.yaml");
    expect(Object.keys(tenants)).toHaveLength(302);
    expect(tenants["t-299"]).toEqual({ name: "n-299", configs: { region: "eu", list } });
  });
});

test("refuses numbers of a file of tenants whose leading zeros would be lost", async () => {
  const metadata = `{ cost_center: 0471, post: [ -0089, "0471", 0, -0, 0.5, 0x0f, 00, 0o17 ], by: { 1: !!int 007 } }`;
  await folder.put("tenants.yaml", `acme: { metadata: ${metadata} }\n`);
  const problem = "is a number with leading zeros, which would be lost: write it in quotes, or without the zeros";
  expect(
    (await problemsOf(readFrom("tenants.yaml"))).map((line) =>
      line.replace("fleets.billing.tenants.acme.metadata.", ""),
    ),
  ).toEqual([
    `tenants.yaml:1:34: cost_center: ${problem}`,
    `tenants.yaml:1:48: post[0]: ${problem}`,
    `tenants.yaml:1:81: post[6]: ${problem}`,
    `tenants.yaml:1:108: by.1: ${problem}`,
  ]);
});

test("refuses keys of a file of tenants that YAML reads otherwise than they are written", async () => {
  const mapping = "{ 1.10: a, 12e5: b, 007: c, True: d, ~: e, 12345678901234567890: f }";
  await folder.put("tenants.yaml", `00123: {}\nacme:\n  configs: { mapping: ${mapping} }\n`);
  const problem =
    "is another key than written, because YAML reads it as a number, a boolean or null: write it in quotes";
  const places = ["1:1", "3:25", "3:34", "3:43", "3:51", "3:60", "3:66"];
  const problems = await problemsOf(readFrom("tenants.yaml"));
  expect(problems.map((line) => line.replace(/: fleets\.\S+: /, " "))).toEqual(
    places.map((place) => `tenants.yaml:${place} ${problem}`),
  );
  expect(problems[0]).toContain("fleets.billing.tenants.123: ");
});

test("takes other keys of a file of tenants as they are written", async () => {
  const mapping = "{ 123: a, true: b, 1.5: c, \"1.10\": d, '007': e, 2027-01-31: f, 1_000: g, yes: h }";
  await folder.put("tenants.yaml", `"00123": {}\n1001: { configs: { mapping: ${mapping} } }\n`);
  const keys = { 123: "a", true: "b", "1.5": "c", "1.10": "d", "007": "e", "2027-01-31": "f", "1_000": "g", yes: "h" };
  expect(await tenantsFrom("tenants.yaml")).toEqual({ "00123": {}, 1001: { configs: { mapping: keys } } });
});

test("takes the last anchor of a name before an alias", async () => {
  await folder.put("tenants.yaml", "a: &x { paused: true, schedule: &x none }\nb: { schedule: *x }\nc: &x {}\nd: *x\n");
  expect(await tenantsFrom("tenants.yaml")).toEqual({
    a: { paused: true, schedule: "none" },
    b: { schedule: "none" },
    c: {},
    d: {},
  });
});

describe("problems of a fleet's tenants are shown with file, line and column", () => {
  test("a misspelt key, with a suggestion, in a file and in a folder", async () => {
    await folder.put("tenants.yaml", "acme:\n  configs: {}\n  shedule: none\n");
    await folder.put("folder/bluebird.yaml", "# a customer\npause: true\n");
    expect(await problemsOf(readFrom("[tenants.yaml, folder]"))).toEqual([
      'folder/bluebird.yaml:2:1: fleets.billing.tenants.bluebird.pause: is not a setting of a tenant; did you mean "paused"?',
      'tenants.yaml:3:3: fleets.billing.tenants.acme.shedule: is not a setting of a tenant; did you mean "schedule"?',
    ]);
  });

  test("settings of a wrong type, and invalid names and schedules", async () => {
    await folder.put(
      "tenants.yaml",
      'acme: { paused: "no" }\nBluebird: {}\ncedar: { schedule: often }\ndune:\neagle: { integration: crm }\n',
    );
    expect(await problemsOf(readFrom("tenants.yaml"))).toEqual([
      `tenants.yaml:1:9: fleets.billing.tenants.acme.paused: must be true or false; "yes", "no", "on" and "off" are strings`,
      `tenants.yaml:2:1: fleets.billing.tenants.Bluebird: is the tenant's name, which must be lowercase letters, digits and "-", with "-" neither first nor last, such as "bluebird". Correct it, or set name`,
      `tenants.yaml:3:10: fleets.billing.tenants.cedar.schedule: has 1 field; a cron schedule has five: minute, hour, day of month, month and day of week in UTC, such as "0 */6 * * *"; "none" means no schedule`,
      "tenants.yaml:4:1: fleets.billing.tenants.dune: has no value; write {} for a tenant with the defaults only",
      expect.stringMatching(
        /^tenants\.yaml:5:10: fleets\.billing\.tenants\.eagle\.integration: is a setting of the whole fleet/,
      ),
    ]);
  });

  test("a file or folder that is not there", async () => {
    expect(await problemsOf(readFrom("[tenants.yaml, elsewhere]"))).toEqual([
      "Pulumi.test.yaml:3:34: fleets.billing.tenantsFrom: there is no file or folder elsewhere; paths are relative to the folder of Pulumi.yaml",
      "Pulumi.test.yaml:3:34: fleets.billing.tenantsFrom: there is no file or folder tenants.yaml; paths are relative to the folder of Pulumi.yaml",
    ]);
  });

  test.each([
    ["invalid YAML", "acme: {\n", "2:1"],
    ["a key twice", "acme: {}\nacme: {}\n", "2:1"],
    ["an alias without an anchor", "acme: *nobody\n", "1:7"],
  ])("%s", async (_, text, place) => {
    await folder.put("tenants.yaml", text);
    const lines = await problemsOf(readFrom("tenants.yaml"));
    expect(lines[0]).toMatch(new RegExp(`^tenants.yaml:${place}: fleets.billing.tenants: invalid YAML: `));
    expect(lines.every((line) => line.includes("invalid YAML"))).toBe(true);
  });

  test.each([
    ["a value that contains itself", "acme: &a { configs: { all: *a } }\n", "1:28", "the anchor &a contains itself"],
    ["a merged map that contains itself", "acme: &a\n  <<: *a\n", "2:7", "the anchor &a contains itself"],
    ["a merged value that is no map", "acme: { <<: 1 }\n", "1:7", "a merge key (<<) takes a map or a list of maps"],
    ["a few aliases that repeat too many values", billionLaughs(8), "7:26", "stand for more than 300000 values"],
    ["lists nested very deep", `a: ${"[".repeat(5000)}${"]".repeat(5000)}\n`, "1:", "deep"],
    ["maps nested deep", `a: { configs: ${"{ a: ".repeat(300)}1${" }".repeat(300)} }\n`, "1:", "200 levels deep"],
    ["not a number", "acme: { configs: { ratio: .nan } }\n", "1:27", "JSON cannot hold"],
    ["a number that is too precise", "acme: { configs: { n: 9007199254740993 } }\n", "1:23", "JavaScript cannot hold"],
    ["a number that is too large", "acme: { configs: { list: [1, 1e400] } }\n", "1:30", "JavaScript cannot hold"],
    ["a number that is too large, as a key", "9007199254740993: {}\n", "1:1", "is another key than written"],
    ["a date", "%YAML 1.1\n---\nacme: { configs: { since: 2001-12-14 } }\n", "3:27", "JSON cannot hold"],
    ["a set", "%YAML 1.1\n---\nacme: { configs: { some: !!set { a, b } } }\n", "3:32", "JSON cannot hold"],
    ["bytes", "acme: { configs: { key: !!binary aGk= } }\n", "1:34", "JSON cannot hold"],
    ["a key that is a list", "acme: { configs: { ? [a, b] : 1 } }\n", "1:18", "a key that is not a string"],
    [
      "a key that JavaScript objects treat in a special way",
      "acme: { configs: { __proto__: {} } }\n",
      "1:18",
      "__proto__",
    ],
  ])("%s", async (_, text, place, reason) => {
    await folder.put("tenants.yaml", text);
    const [line, ...others] = await problemsOf(readFrom("tenants.yaml"));
    expect(line).toMatch(new RegExp(`^tenants\\.yaml:${place}`));
    expect(line).toContain(reason);
    expect(others).toEqual([]);
  });

  test("escaped control characters, which could command a terminal", async () => {
    await folder.put("tenants.yaml", '"\\x1b[31m\\n": {}\n');
    expect(await problemsOf(readFrom("tenants.yaml"))).toEqual([
      expect.stringMatching(
        /^tenants\.yaml:1:1: fleets\.billing\.tenants\.\\u001b\[31m\\u000a: is the tenant's name, which must be lowercase/,
      ),
    ]);
  });

  test.each(["- acme\n- bluebird\n", "acme\n"])("a file that has no tenants by key: %j", async (text) => {
    await folder.put("tenants.yaml", text);
    expect(await problemsOf(readFrom("tenants.yaml"))).toEqual([
      "tenants.yaml:1:1: fleets.billing.tenants: must be an object of tenants by key, such as { acme: {} }",
    ]);
  });

  test("a folder that is named like a file of YAML", async () => {
    await folder.put("folder/acme.yaml/inside.txt", "");
    expect(await problemsOf(readFrom("folder"))).toEqual([
      expect.stringMatching(/^folder\/acme\.yaml:1:1: fleets\.billing\.tenants: cannot be read: Error: EISDIR/),
    ]);
  });

  test("a setting in the defaults once, however many tenants have it", async () => {
    const more = ", defaults: { paused: 1, schedule: often }, tenants: { acme: {}, dune: {} }";
    await folder.put("tenants.yaml", "cedar: {}\n");
    expect(await problemsOf(readFrom("tenants.yaml", more))).toEqual([
      expect.stringMatching(/^Pulumi\.test\.yaml:3:\d+: fleets\.billing\.defaults\.paused: must be true or false$/),
      expect.stringMatching(
        /^Pulumi\.test\.yaml:3:\d+: fleets\.billing\.defaults\.schedule: has 1 field; a cron schedule has five/,
      ),
    ]);
  });

  test("a secret, without its cipher: it cannot be decrypted there", async () => {
    await folder.put(
      "tenants.yaml",
      "acme:\n  configs:\n    region: eu\n    login: { password: { secure: v1:abc } }\n",
    );
    const lines = await problemsOf(readFrom("tenants.yaml"));
    expect(lines).toEqual([
      "tenants.yaml:4:14: fleets.billing.tenants.acme.configs.login.password: is a secret, " +
        "which only the stack's own file can hold: set it there, under the same path",
    ]);
  });

  test("a key that is in two files; it may also be in the stack's file", async () => {
    await folder.put("one.yaml", "acme: {}\n");
    await folder.put("two.yaml", "dune: {}\nacme: {}\n");
    expect(await problemsOf(readFrom("[one.yaml, two.yaml]", ", tenants: { acme: { paused: true } }"))).toEqual([
      "two.yaml:2:1: fleets.billing.tenants.acme: is declared already, at one.yaml:1:1: remove one of the two",
    ]);
    const { fleets } = await readFrom("[one.yaml]", ", tenants: { acme: { paused: true } }");
    expect(fleets[0]?.argsOf({}).tenants).toEqual({ acme: { paused: true } });
  });

  test("a tenant that is declared twice: alone, in a fleet, or in two", async () => {
    await folder.put("tenants.yaml", "bluebird: { name: acme }\ncedar: {}\n");
    const reading = folder.read(`config:
  integration-platform:tenants:
    acme: { integration: crm }
    dune: { integration: shop }
  integration-platform:fleets:
    billing: { integration: crm, tenantsFrom: tenants.yaml }
    copies: { integration: crm, tenants: { cedar: {}, dune: {} } }
`);
    expect(await problemsOf(reading)).toEqual([
      'Pulumi.test.yaml:7:44: fleets.copies.tenants.cedar: is a second declaration of tenant "cedar", which fleets.billing.tenants.cedar (tenants.yaml:2:1) declares too: remove one of the two',
      'tenants.yaml:1:1: fleets.billing.tenants.bluebird: is a second declaration of tenant "acme", which tenants.acme (Pulumi.test.yaml:3:5) declares too: remove one of the two',
    ]);
  });

  test("the same tenant to adopt twice, but not two tenants of one name with different ids to adopt", async () => {
    await folder.put("tenants.yaml", "one: { name: Twin Ltd., adopt: 7 }\ntwo: { name: Twin Ltd., adopt: 8 }\n");
    expect(Object.keys(await tenantsFrom("tenants.yaml"))).toEqual(["one", "two"]);
    await folder.put("tenants.yaml", "one: { adopt: 7 }\ntwo: { adopt: 7 }\n");
    expect(await problemsOf(readFrom("tenants.yaml"))).toEqual([
      "tenants.yaml:2:8: fleets.billing.tenants.two.adopt: is an id that fleets.billing.tenants.one (tenants.yaml:1:1) adopts too: remove one of the two, or correct the id",
    ]);
  });

  test("the fleet's own settings, in the stack's file", async () => {
    const reading = folder.read(`config:
  integration-platform:fleets:
    billing:
      integration: crm
      defaults: { paused: 1, name: x }
      limits: { archive: some, changes: 1 }
      tenantFrom: tenants.yaml
    other: { tenants: {} }
`);
    expect(await problemsOf(reading)).toEqual([
      "Pulumi.test.yaml:5:19: fleets.billing.defaults.paused: must be true or false",
      expect.stringMatching(
        /^Pulumi\.test\.yaml:5:30: fleets\.billing\.defaults\.name: is not a setting of a fleet's defaults/,
      ),
      'Pulumi.test.yaml:6:17: fleets.billing.limits.archive: must be a whole number such as 5, or a percentage such as "20%"',
      'Pulumi.test.yaml:6:32: fleets.billing.limits.changes: is not a limit of a fleet; did you mean "change"?',
      'Pulumi.test.yaml:7:7: fleets.billing.tenantFrom: is not a setting of a fleet; did you mean "tenantsFrom"?',
      "Pulumi.test.yaml:8:5: fleets.other.integration: is required; it must be the name or the id of an integration",
    ]);
  });
});

/** The attack "billion laughs": each line has ten aliases of the line before. */
function billionLaughs(lines: number): string {
  const ten = (at: number) => Array.from({ length: 10 }, (_, key) => `k${key}: *l${at}`).join(", ");
  return Array.from(
    { length: lines },
    (_, at) => `l${at}: &l${at} ${at === 0 ? "{}" : `{ configs: { ${ten(at - 1)} } }`}\n`,
  ).join("");
}
