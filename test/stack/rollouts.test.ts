import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { preflight, type Stack } from "../../src/stack/program/index.ts";
import { call } from "../emulator/running-emulator.ts";
import { sha256 } from "../receiver/sha256.ts";
import { errorLines, isSecret, type StackFolder, stackFolder } from "./stack-folder.ts";

let folder: StackFolder;

beforeEach(async () => {
  folder = await stackFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const strategy = `waves:
          - { name: canary, tenants: [acme] }
          - { name: early, tenants: [beta], approval: required }
          - { percent: 100 }
        gate: { soakSeconds: 3600 }
        maxUnavailable: 10%
        approvals: { v1.3.0: { early: CHG-123 } }`;

const fleet = (release: string, more = "") => `config:
  integration-platform:builds: { v3: { integration: crm, tag: v1.3.0 } }
  integration-platform:fleets:
    billing:
      integration: crm
      aliases: [invoices]
      sync: { mode: init, on: [release, configs] }
      defaults: { release: ${release}, configs: { region: eu } }
      tenantsFrom: tenants.yaml
      tenants: { acme: {}, beta: {}, oldco: { release: { tag: v1.1.0 } } }
      rollout:
        ${strategy}
        exclude: [bigcorp]
        attempt: 2
${more}`;

const files = "bigcorp: {}\nfixed: { release: { build: v3 } }\n";

function argsOf({ fleets }: Stack) {
  const args = fleets[0]?.argsOf({ v3: 903 });
  return { ...args, tenants: Object(args?.tenants) };
}

describe("a rollout in a stack's file", () => {
  beforeEach(() => folder.put("tenants.yaml", files));

  test("takes the release of the fleet's defaults, and leaves tenants only releases of their own", async () => {
    const { tenants, rollout } = argsOf(await folder.read(fleet("{ tag: v1.3.0 }")));
    expect(rollout).toStrictEqual({ release: { tag: "v1.3.0" }, attempt: 2, exclude: ["bigcorp"] });
    const releases = Object.entries(tenants).map(([key, entry]) => [key, Object(entry).release]);
    expect(Object.fromEntries(releases)).toStrictEqual({
      acme: undefined,
      beta: undefined,
      oldco: { tag: "v1.1.0" },
      bigcorp: undefined,
      fixed: { id: 903 },
    });
    expect(tenants.acme).not.toHaveProperty("release");
    expect(tenants.acme.configs).toEqual({ region: "eu" });
  });

  test.each([
    ["{ id: 501 }", { id: 501 }],
    ["{ build: v3 }", { id: 903 }],
  ])("leads to %s", async (release, target) => {
    expect(argsOf(await folder.read(fleet(release))).rollout).toMatchObject({ release: target });
  });

  test("has the strategy, without what the fleet takes, and is renamed with the fleet", async () => {
    const { fleets } = await folder.read(fleet("{ tag: v1.3.0 }"));
    expect(fleets[0]?.rollout).toStrictEqual({
      waves: [
        { name: "canary", tenants: ["acme"] },
        { name: "early", tenants: ["beta"], approval: "required" },
        { percent: 100 },
      ],
      gate: { soakSeconds: 3600 },
      maxUnavailable: "10%",
      approvals: { "v1.3.0": { early: "CHG-123" } },
    });
    expect(fleets[0]?.options.aliases).toEqual([{ name: "invoices" }]);
  });

  test("does not make its release a reason for a sync; one's own release still is", async () => {
    const { tenants } = argsOf(await folder.read(fleet("{ tag: v1.3.0 }")));
    const configs = sha256('{"region":"eu"}');
    expect(tenants.acme.sync.triggers).toEqual({ configs });
    expect(tenants.bigcorp.sync.triggers).toEqual({ configs });
    expect(tenants.oldco.sync.triggers).toEqual({ configs, release: sha256('{"tag":"v1.1.0"}') });
  });

  test("is absent from other fleets, whose tenants have the release of the defaults", async () => {
    const stack = await folder.read(`config:
  integration-platform:fleets:
    billing: { integration: crm, defaults: { release: { tag: v1.3.0 } }, tenants: { acme: {} } }
`);
    expect(stack.fleets[0]?.rollout).toBeUndefined();
    const { tenants, rollout } = argsOf(stack);
    expect([tenants.acme.release, rollout]).toEqual([{ tag: "v1.3.0" }, undefined]);
  });

  test("is checked without what the stack's file has encrypted", async () => {
    const yaml = fleet("{ tag: { secure: c1 } }").replace("CHG-123", "{ secure: c2 }");
    const { rollout } = argsOf(await folder.read(yaml, { decrypted: { c1: "v1.3.0", c2: "CHG-123" } }));
    expect(rollout).toMatchObject({ release: { tag: "v1.3.0" } });
  });
});

describe("the days of a freeze", () => {
  const yaml = (from: string) => `config:
  integration-platform:fleets:
    billing:
      integration: crm
      defaults: { release: { tag: v1 } }
      tenants: { acme: { configs: { region: eu, token: { secure: c1 } } } }
      rollout: { waves: [{ percent: 100 }], freeze: [{ from: ${from}, to: 2027-01-03 }], timeZone: Europe/Berlin }
`;
  const days = [{ from: "2026-12-20", to: "2027-01-03" }];
  const engineTime = "2026-12-20 00:00:00 +0000 UTC";

  /** What the engine makes of a day without quotes, as tried with version 3.265.0. */
  const asTheEngine = (text: string) =>
    text.replace(": 2027-01-03", ': "2027-01-03 00:00:00 +0000 UTC"').replace(": 2026-12-20", `: "${engineTime}"`);

  test.each([
    ["without quotes, which the engine reads as times", "2026-12-20"],
    ["in quotes", '"2026-12-20"'],
    ["as the engine writes them into the file", `'${engineTime}'`],
  ])("%s", async (_, from) => {
    const text = yaml(from);
    const stack = await folder.read(text, { decrypted: { c1: "secret" }, effective: asTheEngine(text) });
    expect(stack.fleets[0]?.rollout?.freeze).toEqual(days);
  });

  test("do not hide the places and the secrets of the file", async () => {
    const text = yaml("2026-12-20");
    const { configs } = argsOf(await folder.read(text, { decrypted: { c1: "secret" }, effective: asTheEngine(text) }))
      .tenants.acme;
    expect([await isSecret(configs.region), await isSecret(configs.token), configs.region]).toEqual([
      false,
      true,
      "eu",
    ]);
    const wrong = text.replace("Europe/Berlin", "Mars");
    const [, ...lines] = await errorLines(
      folder.read(wrong, { decrypted: { c1: "secret" }, effective: asTheEngine(wrong) }),
    );
    expect(lines).toEqual([expect.stringMatching(/^Pulumi\.test\.yaml:7:93: fleets\.billing\.rollout\.timeZone: /)]);
  });

  test("are refused with another time of the day", async () => {
    const text = yaml("2026-12-20 10:00:00");
    const effective = text.replace("20 10:00:00", '20 10:00:00 +0000 UTC"').replace("from: ", 'from: "');
    const [, ...lines] = await errorLines(folder.read(text, { decrypted: { c1: "secret" }, effective }));
    expect(lines).toEqual([
      "Pulumi.test.yaml:7:56: fleets.billing.rollout.freeze[0].from: must be a day such as 2026-12-20",
    ]);
  });
});

describe("the preflight of a rollout", () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await createEmulator();
    const config_schema = {
      type: "object",
      properties: { region: { type: "string", enum: ["eu"] }, ledger: { type: "string" } },
      required: ["ledger"],
    };
    await call(emulator, "POST", "/_emulator/integrations/101/releases", {
      name: "v1.3.0",
      tag: "v1.3.0",
      config_schema,
    });
  });
  afterEach(() => emulator.close());

  /** The problems of a fleet that a rollout takes to v1.3.0. */
  async function problemsOf(tenants: string, release = "{ tag: v1.3.0 }"): Promise<string[]> {
    const stack = await folder.read(`config:
  integration-platform:baseUrl: ${emulator.url}
  integration-platform:apiKey: ${emulator.apiKey}
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      defaults: { release: ${release} }
      rollout: { waves: [{ percent: 100 }] }
      tenants: ${tenants}
`);
    emulator.clearRequests();
    const [, ...lines] = await errorLines(preflight(stack));
    expect(emulator.requests().every(({ method }) => method === "GET")).toBe(true);
    return lines;
  }

  const add = (name: string, configs = {}) =>
    call(emulator, "POST", "/_emulator/tenants", { integration: 101, name, configs });

  test.each(["{ acme: {}, beta: {} }", "{}", "{ acme: { release: { tag: v1.0.0 } } }"])(
    "shows once that there is no such release, where it is declared: %s",
    async (tenants) => {
      expect(await problemsOf(tenants, "{ tag: v1.4.0 }")).toEqual([
        expect.stringMatching(
          /^Pulumi\.test\.yaml:7:30: fleets\.billing\.defaults\.release\.tag: crm-to-billing has no release with tag "v1\.4\.0"/,
        ),
      ]);
    },
  );

  test("accepts what fits the release that a tenant runs and not the target, as the tenant moves later", async () => {
    await add("acme");
    expect(await problemsOf("{ acme: { configs: { region: us } } }")).toEqual([]);
  });

  test("refuses what does not fit the release that a tenant runs, and not the target either", async () => {
    await add("acme");
    expect(await problemsOf("{ acme: { configs: { region: mars } } }")).toEqual([
      expect.stringMatching(
        /^Pulumi\.test\.yaml:9:37: fleets\.billing\.tenants\.acme\.configs\.region: must be one of "eu", "us"/,
      ),
    ]);
  });

  test("accepts a new tenant beside others, whatever its configs are, as it is created on the release from before", async () => {
    await add("acme");
    expect(await problemsOf("{ acme: {}, beta: { configs: { region: us } } }")).toEqual([]);
  });

  test("checks the tenants of a new fleet against the target, on which they are created", async () => {
    expect(
      await problemsOf("{ acme: { configs: { region: us, ledger: a } }, beta: { configs: { ledger: b } } }"),
    ).toEqual([
      expect.stringMatching(
        /^Pulumi\.test\.yaml:9:37: fleets\.billing\.tenants\.acme\.configs\.region: must be .*\(schema of crm-to-billing v1\.3\.0\)$/,
      ),
    ]);
  });

  test("sends no request for the tenants if all of them fit", async () => {
    expect(await problemsOf("{ acme: { configs: { ledger: a } } }")).toEqual([]);
    expect(emulator.requests().map(({ path }) => path)).not.toContain("/v2/tenants");
  });
});
