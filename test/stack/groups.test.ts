import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import type { Stack } from "../../src/stack/program/index.ts";
import { runCli } from "../cli/run-cli.ts";
import { errorLines, isSecret, resolved, type StackFolder, stackFolder } from "./stack-folder.ts";

let folder: StackFolder;

beforeEach(async () => {
  folder = await stackFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

/** The inputs of the tenants in the only fleet of a stack. */
function fleetTenants({ fleets }: Stack): Record<string, Record<string, unknown>> {
  return Object(fleets[0]?.argsOf({}).tenants);
}

const fleet = (more: string) => `config:
  integration-platform:fleets:
    billing:
      integration: crm
      defaults: { schedule: "0 * * * *", release: { tag: v1 }, configs: { batch_size: 100, mapping: { a: x } } }
      groups:
        gold: { schedule: none, release: { tag: v2 }, configs: { batch_size: 1000, mapping: { b: gold } } }
        eu: { paused: true, configs: { region: eu, batch_size: 5, mapping: { b: eu, c: eu } } }
${more}`;

describe("the groups of a fleet", () => {
  test("have settings beneath the tenant's own and above the defaults; the first of several groups wins", async () => {
    await folder.put("tenants.yaml", "dune: { groups: [eu, gold] }\n");
    const tenants = fleetTenants(
      await folder.read(
        fleet(`      tenants:
        acme: { groups: gold, configs: { mapping: { c: own } } }
        bird: { groups: [gold, eu], schedule: "5 * * * *" }
        cedar: { groups: [] }
      tenantsFrom: tenants.yaml
`),
      ),
    );
    expect(tenants).toEqual({
      acme: {
        schedule: "none",
        release: { tag: "v2" },
        configs: { batch_size: 1000, mapping: { a: "x", b: "gold", c: "own" } },
      },
      bird: {
        schedule: "5 * * * *",
        release: { tag: "v2" },
        paused: true,
        configs: { region: "eu", batch_size: 1000, mapping: { a: "x", b: "gold", c: "eu" } },
      },
      cedar: { schedule: "0 * * * *", release: { tag: "v1" }, configs: { batch_size: 100, mapping: { a: "x" } } },
      dune: {
        schedule: "none",
        release: { tag: "v2" },
        paused: true,
        configs: { region: "eu", batch_size: 5, mapping: { a: "x", b: "eu", c: "eu" } },
      },
    });
  });

  test("are those of the stack's own declaration where a file names groups too", async () => {
    await folder.put("tenants.yaml", "acme: { groups: eu }\n");
    const yaml = fleet("      tenants: { acme: { groups: gold } }\n      tenantsFrom: tenants.yaml\n");
    expect(fleetTenants(await folder.read(yaml)).acme).toMatchObject({ configs: { batch_size: 1000 } });
    expect(fleetTenants(await folder.read(yaml)).acme).not.toHaveProperty("paused");
  });

  test("can say what else a fleet's tenant can, such as that it stays on the platform", async () => {
    const yaml = `config:
  integration-platform:fleets:
    billing:
      integration: crm
      sync: { mode: init, timeoutSeconds: 60 }
      groups: { leaving: { retainOnDelete: true, forceArchive: true, sync: { mode: normal } } }
      tenants: { acme: { groups: leaving }, bird: {} }
`;
    expect(fleetTenants(await folder.read(yaml))).toEqual({
      acme: { retainOnDelete: true, forceArchive: true, sync: { mode: "normal" } },
      bird: {},
    });
  });

  test("pin their tenants to their release, so that a rollout leaves these alone", async () => {
    const rollout = "      rollout: { waves: [{ tenants: [bird] }, { percent: 100 }] }\n";
    const stack = await folder.read(
      fleet(`      tenants: { acme: { groups: gold }, bird: { groups: eu } }\n${rollout}`),
    );
    const { acme, bird } = fleetTenants(stack);
    expect(acme?.release).toEqual({ tag: "v2" });
    expect(bird).not.toHaveProperty("release");
    expect(stack.fleets[0]?.argsOf({}).rollout).toEqual({ release: { tag: "v1" } });

    const ofAPinned = rollout.replace("[bird]", "[acme]");
    const refused = folder.read(fleet(`      tenants: { acme: { groups: gold }, bird: {} }\n${ofAPinned}`));
    expect((await errorLines(refused)).slice(1)).toEqual([
      expect.stringMatching(
        /^Pulumi\.test\.yaml:10:38: fleets\.billing\.rollout\.waves\[0\]\.tenants\[0\]: has a release of its own or of a group, which no wave changes/,
      ),
    ]);
  });

  test("have references to secrets, which a tenant replaces as a whole", async () => {
    const yaml = `config:
  integration-platform:fleets:
    billing:
      integration: crm
      groups: { gold: { configs: { token: { ref: "env:GOLD", version: 7 } } } }
      tenants: { acme: { groups: gold }, bird: { groups: gold, configs: { token: { ref: "env:BIRD" } } } }
`;
    expect(fleetTenants(await folder.read(yaml))).toEqual({
      acme: { configs: { token: { ref: "env:GOLD", version: 7 } } },
      bird: { configs: { token: { ref: "env:BIRD" } } },
    });
  });

  test("of a fleet that is encrypted as a whole are no problem", async () => {
    const yaml = `config:
  integration-platform:fleets: { secure: c1 }
`;
    const text = JSON.stringify({
      billing: { integration: "crm", groups: { gold: { schedule: "none" } }, tenants: { acme: { groups: ["gold"] } } },
    });
    const { fleets } = await folder.read(yaml, { decrypted: { c1: text } });
    expect(await resolved(Object(fleets[0]?.argsOf({}).tenants).acme.schedule)).toBe("none");
  });

  test("keep their secrets where they are in the file", async () => {
    const yaml = `config:
  integration-platform:fleets:
    billing:
      integration: crm
      groups: { gold: { configs: { plain: 1, token: { secure: c1 } }, metadata: { plan: gold } } }
      tenants: { acme: { groups: gold, configs: { own: 2 } } }
`;
    const { acme } = fleetTenants(await folder.read(yaml, { decrypted: { c1: "top-secret" } }));
    const configs = Object(acme?.configs);
    expect(await resolved(configs)).toEqual({ plain: 1, token: "top-secret", own: 2 });
    expect([await isSecret(configs.token), await isSecret(configs.plain)]).toEqual([true, false]);

    // Where the source of the config is not known, all configs and metadata are secret.
    const effective = yaml.replace("plain: 1", "plain: 3").replace("own: 2", "own: 4");
    const elsewhere = fleetTenants(await folder.read(yaml, { decrypted: { c1: "top-secret" }, effective }));
    expect(await resolved(elsewhere.acme?.configs)).toMatchObject({ plain: 3, own: 4 });
    expect([await isSecret(elsewhere.acme?.configs), await isSecret(elsewhere.acme?.metadata)]).toEqual([true, true]);
  });
});

describe("the groups of tenants that are resources of their own", () => {
  const yaml = `config:
  integration-platform:tenantDefaults: { schedule: none, configs: { a: 1 } }
  integration-platform:groups:
    billing: { integration: crm, retainOnDelete: true, sync: { mode: init } }
    gold: { schedule: "0 * * * *", configs: { b: 2 } }
  integration-platform:tenants:
    acme: { groups: [billing, gold] }
    bird: { integration: shop, groups: gold, schedule: none }
`;

  test("can also say their integration, their sync, and whether they stay", async () => {
    const { tenants } = await folder.read(yaml);
    expect(tenants.map(({ key, integration, args, sync }) => ({ key, integration, args, sync }))).toEqual([
      {
        key: "acme",
        integration: "crm",
        args: { schedule: "0 * * * *", configs: { a: 1, b: 2 } },
        sync: { mode: "init" },
      },
      { key: "bird", integration: "shop", args: { schedule: "none", configs: { a: 1, b: 2 } }, sync: undefined },
    ]);
    expect(tenants[0]?.options).toMatchObject({ retainOnDelete: true });
  });

  test("are not those of a fleet", async () => {
    const more = `  integration-platform:fleets: { crm: { integration: crm, groups: { eu: {} }, tenants: { dune: { groups: gold } } } }\n`;
    expect((await errorLines(folder.read(yaml + more))).slice(1)).toEqual([
      'Pulumi.test.yaml:9:98: fleets.crm.tenants.dune.groups: is not a group of this fleet; there are "eu"',
    ]);
  });
});

describe("problems of groups", () => {
  test("of settings are shown once, at the group, however many tenants are in it", async () => {
    const yaml = fleet("      tenants: { acme: { groups: gold }, bird: { groups: gold } }\n").replace(
      "{ schedule: none, release: { tag: v2 },",
      "{ schedule: often, paused: 1, shedule: none, release: { build: v3 },",
    );
    expect((await errorLines(folder.read(yaml))).slice(1)).toEqual([
      expect.stringMatching(/^Pulumi\.test\.yaml:7:17: fleets\.billing\.groups\.gold\.schedule: has 1 field/),
      "Pulumi.test.yaml:7:34: fleets.billing.groups.gold.paused: must be true or false",
      'Pulumi.test.yaml:7:45: fleets.billing.groups.gold.shedule: is not a setting of a group; did you mean "schedule"?',
      expect.stringMatching(
        /^Pulumi\.test\.yaml:7:71: fleets\.billing\.groups\.gold\.release\.build: is not the key of/,
      ),
    ]);
  });
});

describe("on the platform", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await createEmulator();
  });
  afterAll(() => emulator.close());

  test("validate --online compares a tenant with the release and the configs of its groups, and shows the group", async () => {
    await folder.put(
      "Pulumi.test.yaml",
      `config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      defaults: { release: { tag: v9 } }
      groups:
        gold: { release: { tag: v1.0.0 }, configs: { region: mars } }
      tenants: { acme: { groups: gold }, bird: { groups: gold }, cedar: { groups: gld } }
`,
    );
    const { code, stdout } = await runCli(emulator, ["validate", "--online"], {}, folder.directory);
    expect(code).toBe(1);
    // Nothing is said about the release of cedar, which its group may have.
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(
        /^Pulumi\.test\.yaml:7:54: fleets\.billing\.groups\.gold\.configs\.region: must be one of .*for acme, bird\)$/,
      ),
      'Pulumi.test.yaml:8:75: fleets.billing.tenants.cedar.groups: is not a group of this fleet; did you mean "gold"?',
      "2 problems in Pulumi.test.yaml.",
      "",
    ]);
  });
});
