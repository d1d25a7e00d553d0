import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Stack } from "../../src/stack/program/index.ts";
import { sha256 } from "../receiver/sha256.ts";
import { isSecret, resolved, type StackFolder, stackFolder } from "./stack-folder.ts";

let folder: StackFolder;
const read: StackFolder["read"] = (...args) => folder.read(...args);

beforeEach(async () => {
  folder = await stackFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

/** The inputs of the tenants in the only fleet of a stack. */
function tenantsOf({ fleets }: Stack): Record<string, Record<string, unknown>> {
  return Object(fleets[0]?.argsOf({ v3: 903 }).tenants);
}

describe("the settings of a fleet's tenants", () => {
  const yaml = `config:
  integration-platform:fleets:
    billing:
      integration: crm
      defaults:
        schedule: "0 * * * *"
        release: { tag: v1 }
        configs: { region: eu, mapping: { a: x, b: y }, list: [1, 2] }
        metadata: { plan: silver }
      tenantsFrom: tenants.yaml
      tenants:
        acme: { release: { build: v3 }, configs: { mapping: { b: inline } } }
        dune: {}
`;

  test("come from the stack's file, then the file of tenants, then the defaults; configs and metadata are merged at every depth", async () => {
    await folder.put(
      "tenants.yaml",
      `acme:
  paused: false
  release: { channel: Latest }
  configs: { mapping: { b: file, c: file }, list: [3] }
bluebird: { name: bluebird-2, schedule: none, metadata: { seats: 3 } }
`,
    );
    const withBuild = `${yaml}  integration-platform:builds: { v3: { integration: crm, tag: v3 } }\n`;
    const defaults = { schedule: "0 * * * *", release: { tag: "v1" }, metadata: { plan: "silver" } };
    const configs = { region: "eu", mapping: { a: "x", b: "y" }, list: [1, 2] };
    expect(tenantsOf(await read(withBuild))).toEqual({
      acme: {
        ...defaults,
        paused: false,
        release: { id: 903 },
        configs: { region: "eu", mapping: { a: "x", b: "inline", c: "file" }, list: [3] },
      },
      dune: { ...defaults, configs },
      bluebird: {
        ...defaults,
        name: "bluebird-2",
        schedule: "none",
        configs,
        metadata: { plan: "silver", seats: 3 },
      },
    });
  });

  test("do not come from tenantDefaults, which are for tenants outside of fleets", async () => {
    const stack = await read(`config:
  integration-platform:tenantDefaults: { integration: shop, paused: false, configs: { region: us } }
  integration-platform:fleets: { billing: { integration: crm, tenants: { acme: {} } } }
`);
    expect(stack.fleets[0]?.argsOf({})).toEqual({ integration: "crm", tenants: { acme: {} } });
  });

  test("stand beside the settings of the fleet, whose aliases are a resource option", async () => {
    const { fleets } = await read(`config:
  integration-platform:fleets:
    billing:
      { integration: crm, adopt: true, forceArchive: true, retainOnDelete: true, limits: { archive: 5, change: 20% },
        syncConcurrency: 3, aliases: [invoices], tenants: { acme: { aliases: [a, b], retainOnDelete: false } } }
`);
    expect(fleets[0]?.argsOf({})).toEqual({
      integration: "crm",
      adopt: true,
      forceArchive: true,
      retainOnDelete: true,
      limits: { archive: 5, change: "20%" },
      syncConcurrency: 3,
      tenants: { acme: { aliases: ["a", "b"], retainOnDelete: false } },
    });
    expect(fleets[0]?.options.aliases).toEqual([{ name: "invoices" }]);
  });
});

describe("the secrets of a fleet", () => {
  const decrypted = { c1: "shared-secret", c2: "own-secret", c3: "payload-secret" };

  test("are single values: of a tenant, of the defaults, of the payload of a sync", async () => {
    await folder.put("tenants.yaml", "acme: { configs: { region: eu, login: { user: robot } } }\n");
    const { fleets } = await read(
      `config:
  integration-platform:fleets:
    billing:
      integration: crm
      defaults: { configs: { shared: { secure: c1 }, region: us } }
      sync: { mode: init, payload: { key: { secure: c3 }, all: true } }
      tenantsFrom: tenants.yaml
      tenants:
        acme: { configs: { login: { password: { secure: c2 } } }, sync: { payload: { key: { secure: c3 } } } }
`,
      { decrypted },
    );
    const args = fleets[0]?.argsOf({});
    const { configs, sync } = Object(args?.tenants).acme;
    expect([configs.region, configs.login.user]).toEqual(["eu", "robot"]);
    for (const [input, text] of [
      [configs.shared, "shared-secret"],
      [configs.login.password, "own-secret"],
      [sync.payload.key, "payload-secret"],
      [Object(args?.sync?.payload).key, "payload-secret"],
    ] as const) {
      expect(await isSecret(input)).toBe(true);
      expect(await resolved(input)).toBe(text);
    }
    expect(Object(args?.sync?.payload).all).toBe(true);
  });

  test("are replaced by plaintext that is merged over them", async () => {
    await folder.put("tenants.yaml", "acme: { configs: { token: open } }\n");
    const stack = await read(
      `config:
  integration-platform:fleets:
    billing: { integration: crm, defaults: { configs: { token: { secure: c1 } } }, tenantsFrom: tenants.yaml }
`,
      { decrypted },
    );
    expect(tenantsOf(stack)).toEqual({ acme: { configs: { token: "open" } } });
  });

  test("are all configs, metadata and payloads if the source of the config is unknown; values of a file of tenants stay plaintext", async () => {
    await folder.put("tenants.yaml", "bluebird: { configs: { region: eu } }\n");
    const billing = `integration: crm, tenantsFrom: tenants.yaml, defaults: { metadata: { plan: gold } }, sync: { mode: init, payload: { a: b } }`;
    const { fleets } = await read(`config: { integration-platform:fleets: { billing: { integration: crm } } }`, {
      effective: `config: { integration-platform:fleets: { billing: { ${billing}, tenants: { acme: { configs: { a: x } } } } } }`,
    });
    const args = fleets[0]?.argsOf({});
    const { acme, bluebird } = Object(args?.tenants);
    expect(
      await Promise.all([acme.configs, acme.metadata, bluebird.metadata, args?.sync?.payload].map(isSecret)),
    ).toEqual([true, true, true, true]);
    expect(bluebird.configs).toEqual({ region: "eu" });
  });
});

describe("the syncs of a fleet", () => {
  const fleet = (tenants: string, sync = "{ mode: init, on: [configs, release, schedule], when: first }") => `config:
  integration-platform:fleets:
    billing: { integration: crm, sync: ${sync}, tenants: ${tenants} }
`;

  test("are triggered by digests of the settings that `on` names, if they are declared", async () => {
    const tenants = tenantsOf(await read(fleet("{ acme: { configs: { region: eu } }, dune: { paused: true } }")));
    expect(Object(tenants.acme?.sync).triggers).toEqual({
      when: "first",
      configs: sha256('{"region":"eu"}'),
    });
    expect(tenants.dune).toEqual({ paused: true, sync: { triggers: { when: "first" } } });
  });

  test("have another digest if a setting changes, and the same if it does not", async () => {
    const configsOf = async (region: string) => {
      const { acme } = tenantsOf(await read(fleet(`{ acme: { configs: { region: ${region} } } }`)));
      return Object(acme?.sync).triggers.configs;
    };
    expect(await configsOf("eu")).toBe(await configsOf("eu"));
    expect(await configsOf("us")).not.toBe(await configsOf("eu"));
  });

  test("have a secret digest if the setting has a secret", async () => {
    const stack = await read(fleet("{ acme: { configs: { token: { secure: c1 } }, schedule: 0 1 * * * } }"), {
      decrypted: { c1: "own-secret" },
    });
    const { triggers } = Object(tenantsOf(stack).acme?.sync);
    expect(await isSecret(triggers.configs)).toBe(true);
    expect(await resolved(triggers.configs)).toBe(sha256('{"token":"own-secret"}'));
    expect(triggers.schedule).toBe(sha256('"0 1 * * *"'));
  });

  test("are as the tenant declares; a tenant whose settings trigger nothing has none of its own", async () => {
    const own = "{ acme: { configs: {}, sync: { mode: normal, on: [], when: mine } }, dune: {} }";
    expect(tenantsOf(await read(fleet(own, "{ mode: init, on: [configs] }")))).toEqual({
      acme: { configs: {}, sync: { mode: "normal", triggers: { when: "mine" } } },
      dune: {},
    });
  });

  test("are triggered by the release of a build, once it is known", async () => {
    const stack = await read(`${fleet("{ acme: { release: { build: v3 } } }", "{ mode: init, on: [release] }")}
  integration-platform:builds: { v3: { integration: crm, tag: v3 } }
`);
    expect(tenantsOf(stack).acme).toEqual({
      release: { id: 903 },
      sync: { triggers: { release: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    });
  });
});
