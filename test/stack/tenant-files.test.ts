import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type StackFolder, stackFolder } from "./stack-folder.ts";

let folder: StackFolder;

beforeEach(async () => {
  folder = await stackFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

/** Reads a stack whose one fleet takes its tenants from there. */
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

/** What a reading is refused with, line by line. */
async function told(reading: Promise<unknown>): Promise<string[]> {
  const error = await reading.then(
    () => new Error("it was read"),
    (refusal: unknown) => refusal,
  );
  const [head, ...lines] = (error instanceof Error ? error.message : "").split("\n");
  expect(head).toMatch(/^the stack's config has .*; nothing has been changed:$/);
  return lines.map((line) => line.trim());
}

describe("a fleet's tenants come", () => {
  it("from a file, by key; an empty one has none", async () => {
    await folder.put("tenants/billing.yaml", "acme: { paused: true }\n1001: {}\n");
    await folder.put("tenants/empty.yaml", "# nobody yet\n");
    expect(await tenantsFrom("tenants/billing.yaml")).toEqual({ acme: { paused: true }, 1001: {} });
    expect(await tenantsFrom("tenants/empty.yaml")).toEqual({});
  });

  it("from a folder, where the name of a file is the key; an empty file declares nothing of its tenant", async () => {
    await folder.put("tenants/acme.yaml", "paused: true\n");
    await folder.put("tenants/bluebird.yml", "");
    await folder.put("tenants/README.md", "Not a tenant.");
    expect(await tenantsFrom("tenants")).toEqual({ acme: { paused: true }, bluebird: {} });
  });

  it("from a list of both", async () => {
    await folder.put("one/acme.yaml", "paused: true\n");
    await folder.put("more.yaml", "bluebird: {}\n");
    expect(await tenantsFrom("[one, more.yaml]")).toEqual({ acme: { paused: true }, bluebird: {} });
  });

  it("from a file in which many share what an anchor names", async () => {
    const shared = Array.from({ length: 300 }, (_, index) => `t-${index}: { <<: *all, name: n-${index} }`);
    const list = Array.from({ length: 1100 }, () => 1);
    const all = `&all { configs: &configs { region: eu, list: [${list}] } }`;
    await folder.put("tenants.yaml", `t: ${all}\nu: *all\n${shared.join("\n")}\n`);
    const tenants = await tenantsFrom("tenants.yaml");
    expect(Object.keys(tenants)).toHaveLength(302);
    expect(tenants["t-299"]).toEqual({ name: "n-299", configs: { region: "eu", list } });
  });
});

describe("what is wrong with a fleet's tenants is told by file, line and column", () => {
  it("a misspelt key, with a suggestion, in a file and in a folder", async () => {
    await folder.put("tenants.yaml", "acme:\n  configs: {}\n  shedule: none\n");
    await folder.put("folder/bluebird.yaml", "# a customer\npause: true\n");
    expect(await told(readFrom("[tenants.yaml, folder]"))).toEqual([
      'folder/bluebird.yaml:2:1: fleets.billing.tenants.bluebird.pause: is not known here; did you mean "paused"?',
      'tenants.yaml:3:3: fleets.billing.tenants.acme.shedule: is not known here; did you mean "schedule"?',
    ]);
  });

  it("what cannot be read in a tenant, and a name or a schedule that nobody takes", async () => {
    await folder.put(
      "tenants.yaml",
      'acme: { paused: "no" }\nBluebird: {}\ncedar: { schedule: often }\ndune:\neagle: { integration: crm }\n',
    );
    expect(await told(readFrom("tenants.yaml"))).toEqual([
      "tenants.yaml:1:9: fleets.billing.tenants.acme.paused: must be true or false",
      'tenants.yaml:2:1: fleets.billing.tenants.Bluebird: must be lowercase letters, digits and "-", with "-" neither first nor last',
      'tenants.yaml:3:10: fleets.billing.tenants.cedar.schedule: must be a cron schedule of five fields in UTC, such as "0 */6 * * *", or "none"',
      "tenants.yaml:4:1: fleets.billing.tenants.dune: must be an object of tenant settings",
      expect.stringMatching(/^tenants\.yaml:5:10: fleets\.billing\.tenants\.eagle\.integration: is not known here/),
    ]);
  });

  it("a file or folder that is not there", async () => {
    expect(await told(readFrom("[tenants.yaml, elsewhere]"))).toEqual([
      "Pulumi.test.yaml:3:34: fleets.billing.tenantsFrom: there is no file or folder elsewhere",
      "Pulumi.test.yaml:3:34: fleets.billing.tenantsFrom: there is no file or folder tenants.yaml",
    ]);
  });

  it.each([
    ["no YAML", "acme: {\n", "2:1"],
    ["a key twice", "acme: {}\nacme: {}\n", "2:1"],
    ["an alias of nothing", "acme: *nobody\n", "1:7"],
  ])("%s", async (_, text, place) => {
    await folder.put("tenants.yaml", text);
    const lines = await told(readFrom("tenants.yaml"));
    expect(lines[0]).toMatch(new RegExp(`^tenants.yaml:${place}: fleets.billing.tenants: this is no YAML: `));
    expect(lines.every((line) => line.includes("this is no YAML"))).toBe(true);
  });

  it.each([
    ["values that hold themselves", "acme: &a { configs: { all: *a } }\n", "1:28", "names something that holds itself"],
    ["a merged map that holds itself", "acme: &a\n  <<: *a\n", "2:7", "names something that holds itself"],
    ["few lines that stand for too much", laughs(8), "7:26", "stand for more than 300000 values"],
    ["lists without an end", `a: ${"[".repeat(5000)}${"]".repeat(5000)}\n`, "1:", "deep"],
    ["maps nested deep", `a: { configs: ${"{ a: ".repeat(300)}1${" }".repeat(300)} }\n`, "1:", "200 levels deep"],
    ["a number that is none", "acme: { configs: { ratio: .nan } }\n", "1:27", "JSON does not have"],
    ["a number that is too precise", "acme: { configs: { n: 9007199254740993 } }\n", "1:23", "JavaScript cannot hold"],
    ["a number that is too large", "acme: { configs: { list: [1, 1e400] } }\n", "1:30", "JavaScript cannot hold"],
    ["a key that is too large a number", "9007199254740993: {}\n", "1:1", "JavaScript cannot hold"],
    ["a date", "%YAML 1.1\n---\nacme: { configs: { since: 2001-12-14 } }\n", "3:27", "JSON does not have"],
    ["a set", "%YAML 1.1\n---\nacme: { configs: { some: !!set { a, b } } }\n", "3:32", "JSON does not have"],
    ["bytes", "acme: { configs: { key: !!binary aGk= } }\n", "1:34", "JSON does not have"],
    ["a key that is a list", "acme: { configs: { ? [a, b] : 1 } }\n", "1:18", "more than a text"],
    ["a key that means something else to objects", "acme: { configs: { __proto__: {} } }\n", "1:18", "__proto__"],
  ])("%s", async (_, text, place, reason) => {
    await folder.put("tenants.yaml", text);
    const [line, ...others] = await told(readFrom("tenants.yaml"));
    expect(line).toMatch(new RegExp(`^tenants\\.yaml:${place}`));
    expect(line).toContain(reason);
    expect(others).toEqual([]);
  });

  it("names that would steer a terminal, made harmless", async () => {
    await folder.put("tenants.yaml", '"\\x1b[31m\\n": {}\n');
    expect(await told(readFrom("tenants.yaml"))).toEqual([
      expect.stringMatching(/^tenants\.yaml:1:1: fleets\.billing\.tenants\.\\u001b\[31m\\u000a: must be lowercase/),
    ]);
  });

  it.each(["- acme\n- bluebird\n", "acme\n"])("a file that has no tenants by key: %j", async (text) => {
    await folder.put("tenants.yaml", text);
    expect(await told(readFrom("tenants.yaml"))).toEqual([
      "tenants.yaml:1:1: fleets.billing.tenants: must be an object of tenants by name",
    ]);
  });

  it("a secret, which cannot be decrypted there, without its cipher", async () => {
    await folder.put(
      "tenants.yaml",
      "acme:\n  configs:\n    region: eu\n    login: { password: { secure: v1:abc } }\n",
    );
    const lines = await told(readFrom("tenants.yaml"));
    expect(lines).toEqual([
      "tenants.yaml:4:14: fleets.billing.tenants.acme.configs.login.password: a secret cannot be decrypted here: " +
        "set it in the stack's config, under the same path",
    ]);
  });

  it("a key that stands in two files; inline it may stand again", async () => {
    await folder.put("one.yaml", "acme: {}\n");
    await folder.put("two.yaml", "dune: {}\nacme: {}\n");
    expect(await told(readFrom("[one.yaml, two.yaml]", ", tenants: { acme: { paused: true } }"))).toEqual([
      "two.yaml:2:1: fleets.billing.tenants.acme: is declared already, at one.yaml:1:1",
    ]);
    const { fleets } = await readFrom("[one.yaml]", ", tenants: { acme: { paused: true } }");
    expect(fleets[0]?.argsOf({}).tenants).toEqual({ acme: { paused: true } });
  });

  it("a tenant that is declared twice, whether alone, in a fleet or in two", async () => {
    await folder.put("tenants.yaml", "bluebird: { name: acme }\ncedar: {}\n");
    const reading = folder.read(`config:
  integration-platform:tenants:
    acme: { integration: crm }
    dune: { integration: shop }
  integration-platform:fleets:
    billing: { integration: crm, tenantsFrom: tenants.yaml }
    copies: { integration: crm, tenants: { cedar: {}, dune: {} } }
`);
    expect(await told(reading)).toEqual([
      'Pulumi.test.yaml:7:44: fleets.copies.tenants.cedar: declares the tenant "cedar" again: cedar of fleet billing does already',
      'tenants.yaml:1:1: fleets.billing.tenants.bluebird: declares the tenant "acme" again: acme does already',
    ]);
  });

  it("no name twice where the ids of those to take over tell them apart", async () => {
    await folder.put("tenants.yaml", "one: { name: Twin Ltd., adopt: 7 }\ntwo: { name: Twin Ltd., adopt: 8 }\n");
    expect(Object.keys(await tenantsFrom("tenants.yaml"))).toEqual(["one", "two"]);
    await folder.put("tenants.yaml", "one: { adopt: 7 }\ntwo: { adopt: 7 }\n");
    expect(await told(readFrom("tenants.yaml"))).toEqual([
      'tenants.yaml:2:1: fleets.billing.tenants.two: declares the tenant "two" again: one of fleet billing does already',
    ]);
  });

  it("the fleet's own settings, in the stack's file", async () => {
    const reading = folder.read(`config:
  integration-platform:fleets:
    billing:
      integration: crm
      defaults: { paused: 1, name: x }
      limits: { archive: some, changes: 1 }
      tenantFrom: tenants.yaml
    other: { tenants: {} }
`);
    expect(await told(reading)).toEqual([
      "Pulumi.test.yaml:5:19: fleets.billing.defaults.paused: must be true or false",
      expect.stringMatching(/^Pulumi\.test\.yaml:5:30: fleets\.billing\.defaults\.name: is not known here/),
      'Pulumi.test.yaml:6:17: fleets.billing.limits.archive: must be a number, or a share such as "20%"',
      'Pulumi.test.yaml:6:32: fleets.billing.limits.changes: is not known here; did you mean "change"?',
      'Pulumi.test.yaml:7:7: fleets.billing.tenantFrom: is not known here; did you mean "tenantsFrom"?',
      "Pulumi.test.yaml:8:5: fleets.other.integration: must be the name or the id of an integration",
    ]);
  });
});

/** Billion laughs: each line names the one before it ten times. */
function laughs(lines: number): string {
  const ten = (at: number) => Array.from({ length: 10 }, (_, key) => `k${key}: *l${at}`).join(", ");
  return Array.from(
    { length: lines },
    (_, at) => `l${at}: &l${at} ${at === 0 ? "{}" : `{ configs: { ${ten(at - 1)} } }`}\n`,
  ).join("");
}
