import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { errorLines, type StackFolder, stackFolder } from "./stack-folder.ts";

let folder: StackFolder;

beforeEach(async () => {
  folder = await stackFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const yamlOf = (tenantsFrom: string, more = "") => `config:
  integration-platform:fleets:
    billing:
      integration: crm
      groups: { gold: { metadata: { plan: gold } } }
      tenantsFrom: ${tenantsFrom}
${more}`;

async function tenantsOf(tenantsFrom: string, more?: string) {
  const { fleets } = await folder.read(yamlOf(tenantsFrom, more));
  return Object(fleets[0]?.argsOf({}).tenants);
}

/** The problems that a stack is refused with, a line each. */
async function problemsOf(tenantsFrom: string, more?: string): Promise<string[]> {
  return (await errorLines(folder.read(yamlOf(tenantsFrom, more)))).slice(1);
}

const customers = "{ path: customers, fields: [groups, metadata, schedule, configs.region] }";
const technical = "{ path: technical, fields: [configs.batch_size, configs.mapping, release, sync, aliases, paused] }";
const both = `[${customers}, ${technical}]`;

describe("files that may declare some fields only", () => {
  test("declare a tenant together; one of them may be empty, and the stack's file has the last word", async () => {
    await folder.put("customers/acme.yaml", "groups: gold\nconfigs: { region: eu }\n");
    await folder.put("technical/acme.yaml", "configs: { batch_size: 5, mapping: { a: 1 } }\naliases: [old]\n");
    await folder.put("customers/bird.yaml", "");
    await folder.put("technical/bird.yaml", "paused: true\n");
    await folder.put("customers/cedar.yaml", "schedule: none\n");
    expect(await tenantsOf(both, "      tenants: { acme: { configs: { batch_size: 7 } } }\n")).toEqual({
      acme: {
        configs: { region: "eu", batch_size: 7, mapping: { a: 1 } },
        metadata: { plan: "gold" },
        aliases: ["old"],
      },
      bird: { paused: true },
      cedar: { schedule: "none" },
    });
  });

  test("are one file or one folder, or several", async () => {
    await folder.put("one.yaml", "acme: { paused: true }\nbird: {}\n");
    await folder.put("two.yaml", "acme: { schedule: none }\n");
    expect(await tenantsOf("{ path: one.yaml, fields: [paused] }")).toEqual({ acme: { paused: true }, bird: {} });
    const two = "[{ path: one.yaml, fields: [paused] }, { path: two.yaml, fields: [schedule] }]";
    expect(await tenantsOf(two)).toEqual({ acme: { paused: true, schedule: "none" }, bird: {} });
  });

  test("may declare everything without fields", async () => {
    await folder.put("one.yaml", "acme: { paused: true }\n");
    expect(await tenantsOf("[{ path: one.yaml }]")).toEqual({ acme: { paused: true } });
  });

  test("may declare everything below a field, and keys with a dot", async () => {
    await folder.put("one.yaml", 'acme: { configs: { "a.b": 1, mapping: { x: { y: 1 } } } }\n');
    expect(await tenantsOf("{ path: one.yaml, fields: [configs.a.b, configs.mapping.x] }")).toEqual({
      acme: { configs: { "a.b": 1, mapping: { x: { y: 1 } } } },
    });
  });
});

describe("problems of fields are shown with file, line and column", () => {
  test("a setting and a key that a file may not declare", async () => {
    await folder.put(
      "customers/acme.yaml",
      "release: { tag: v1 }\nconfigs:\n  region: eu\n  batch_size: 5\n  regional: 1\n",
    );
    await folder.put("technical/acme.yaml", "metadata: {}\nconfigs: { mapping: {} }\nshedule: none\n");
    const [ofCustomers, ofTechnical] = [
      "cannot be declared in customers: tenantsFrom allows only the fields groups, metadata, schedule and configs.region there",
      "cannot be declared in technical: tenantsFrom allows only the fields configs.batch_size, configs.mapping, release, sync, aliases and paused there",
    ];
    expect(await problemsOf(both)).toEqual([
      `customers/acme.yaml:1:1: fleets.billing.tenants.acme.release: ${ofCustomers}`,
      `customers/acme.yaml:4:3: fleets.billing.tenants.acme.configs.batch_size: ${ofCustomers}`,
      `customers/acme.yaml:5:3: fleets.billing.tenants.acme.configs.regional: ${ofCustomers}`,
      `technical/acme.yaml:1:1: fleets.billing.tenants.acme.metadata: ${ofTechnical}`,
      'technical/acme.yaml:3:1: fleets.billing.tenants.acme.shedule: is not a setting of a tenant; did you mean "schedule"?',
    ]);
  });

  test("another value in the place of the object that has the field, and an empty one", async () => {
    await folder.put("one.yaml", "acme: { configs: { a: 1 } }\nbird: { configs: { a: {} } }\ncedar: { configs: {} }\n");
    expect(await problemsOf("{ path: one.yaml, fields: [configs.a.b] }")).toEqual([
      "one.yaml:1:20: fleets.billing.tenants.acme.configs.a: cannot be declared in one.yaml: tenantsFrom allows only the fields configs.a.b there",
      "one.yaml:2:20: fleets.billing.tenants.bird.configs.a: cannot be declared in one.yaml: tenantsFrom allows only the fields configs.a.b there",
    ]);
  });

  test("any setting where nothing may be declared but that there is a tenant", async () => {
    await folder.put("one.yaml", "acme: { paused: true }\nbird: {}\n");
    expect(await problemsOf("{ path: one.yaml, fields: [] }")).toEqual([
      "one.yaml:1:9: fleets.billing.tenants.acme.paused: cannot be declared in one.yaml: tenantsFrom allows no fields there",
    ]);
  });

  test("a field in two files, at the second", async () => {
    const two =
      "[{ path: one.yaml, fields: [paused, configs, groups] }, { path: two.yaml, fields: [configs, groups] }]";
    await folder.put("one.yaml", "acme: { groups: gold, configs: { a: 1, b: { c: 1, d: 1 }, e: [1] } }\nbird: {}\n");
    await folder.put("two.yaml", "bird: {}\nacme: { groups: gold, configs: { b: { d: 2, f: 1 }, e: [2], g: 1 } }\n");
    expect(await problemsOf(two)).toEqual([
      "two.yaml:2:9: fleets.billing.tenants.acme.groups: is declared already, at one.yaml:1:9: remove one of the two",
      "two.yaml:2:39: fleets.billing.tenants.acme.configs.b.d: is declared already, at one.yaml:1:51: remove one of the two",
      "two.yaml:2:53: fleets.billing.tenants.acme.configs.e: is declared already, at one.yaml:1:59: remove one of the two",
    ]);
  });

  test("a reference to a secret in two files, as a whole", async () => {
    const two = "[{ path: one.yaml, fields: [configs] }, { path: two.yaml, fields: [configs] }]";
    await folder.put("one.yaml", 'acme: { configs: { token: { ref: "env:ONE" } } }\n');
    await folder.put("two.yaml", 'acme: { configs: { token: { ref: "env:TWO", version: 2 } } }\n');
    expect(await problemsOf(two)).toEqual([
      "two.yaml:1:20: fleets.billing.tenants.acme.configs.token: is declared already, at one.yaml:1:20: remove one of the two",
    ]);
  });

  test("a tenant in a third file, at the field that one of the others has", async () => {
    const three =
      "[{ path: a.yaml, fields: [paused] }, { path: b.yaml, fields: [schedule] }, { path: c.yaml, fields: [schedule] }]";
    await folder.put("a.yaml", "acme: { paused: true }\n");
    await folder.put("b.yaml", "acme: { schedule: none }\n");
    await folder.put("c.yaml", "acme: { schedule: none }\n");
    expect(await problemsOf(three)).toEqual([
      "c.yaml:1:9: fleets.billing.tenants.acme.schedule: is declared already, at b.yaml:1:9: remove one of the two",
    ]);
  });

  test("a tenant in two files, if one of them may declare everything", async () => {
    await folder.put("one.yaml", "acme: { paused: true }\n");
    await folder.put("two.yaml", "acme: {}\n");
    expect(await problemsOf("[{ path: one.yaml, fields: [paused] }, two.yaml]")).toEqual([
      "two.yaml:1:1: fleets.billing.tenants.acme: is declared already, at one.yaml:1:1: remove one of the two, or list the fields of each in tenantsFrom",
    ]);
  });

  test("fields that are none, and items that are none", async () => {
    await folder.put("one.yaml", "acme: {}\n");
    expect(await problemsOf("{ path: one.yaml, fields: [metdata, schedule.hour, configs.a, integration] }")).toEqual([
      'Pulumi.test.yaml:6:47: fleets.billing.tenantsFrom.fields[0]: is not a setting of a tenant; did you mean "metadata"?',
      'Pulumi.test.yaml:6:56: fleets.billing.tenantsFrom.fields[1]: is a part of a setting; only those of configs and metadata can be fields. Write "schedule"',
      expect.stringMatching(
        /^Pulumi\.test\.yaml:6:82: fleets\.billing\.tenantsFrom\.fields\[3\]: is not a setting of a tenant/,
      ),
    ]);
    expect(
      await problemsOf(
        "[{ path: one.yaml, feilds: [paused] }, { fields: [paused] }, 5, { path: one.yaml, fields: all }]",
      ),
    ).toEqual([
      'Pulumi.test.yaml:6:39: fleets.billing.tenantsFrom[0].feilds: is not a setting of tenantsFrom; did you mean "fields"?',
      "Pulumi.test.yaml:6:59: fleets.billing.tenantsFrom[1].path: is required; it must be the path of a file or a folder",
      expect.stringMatching(
        /^Pulumi\.test\.yaml:6:81: fleets\.billing\.tenantsFrom\[2\]: must be a path, or an object such as \{ path/,
      ),
      expect.stringMatching(
        /^Pulumi\.test\.yaml:6:102: fleets\.billing\.tenantsFrom\[3\]\.fields: must be a list of fields, such as/,
      ),
    ]);
    expect(await problemsOf("")).toEqual([
      expect.stringMatching(
        /^Pulumi\.test\.yaml:6:7: fleets\.billing\.tenantsFrom: has no value; it must be a path, or an object such as/,
      ),
    ]);
  });
});
