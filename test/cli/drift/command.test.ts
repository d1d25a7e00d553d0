import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../../end-after-tests.ts";
import { runCli } from "../run-cli.ts";
import { end, type FakePulumi, fakePulumi, secret, stack, tenant } from "./fake-pulumi.ts";

// Here a script stands in for `pulumi`. test/engine/drift-report.test.ts runs the same command with the real engine.
describe("drift", () => {
  let pulumi: FakePulumi;
  beforeAll(() =>
    endAfterTests(async (open) => {
      pulumi = open.use(await fakePulumi());
    }),
  );
  const drift = (lines: readonly object[], code = 0, args: readonly string[] = []) =>
    pulumi.drift(lines, { code, args: ["--json", "-", ...args] });

  test("runs `pulumi preview --refresh` for the named stack", async () => {
    await drift([stack, end], 0, ["--stack", "production"]);
    expect(await pulumi.previews()).toEqual(["preview --refresh --json --non-interactive --stack production"]);
  });

  test("ends with 0 if there is no difference, and names the stack and the number of tenants", async () => {
    const { code, stdout } = await drift([stack, ...tenant("same", { paused: true }, { paused: true }), end]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      isInSync: true,
      stack: "test",
      project: "project",
      platform: "https://platform.example.com",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      tenants: 1,
      valuesNotCompared: 0,
      archives: [],
      overrides: [],
      differences: [],
    });
  });

  test.each([
    ["by its id now", 101],
    ["by an output that is not known yet", "04da6b54-80e4-46f7-96ec-b56ff0331ba9"],
  ])("reports no secret if an integration is declared %s", async (_, integration) => {
    const events = tenant(
      "update",
      { integration: "billing", tenantId: 1, configs: { region: "us" } },
      { integration, configs: { region: "eu" } },
      { detailedDiff: { integration: { kind: "update" }, "configs.region": { kind: "update" } } },
    );
    const { stdout } = await drift([stack, ...events, end]);
    expect(JSON.parse(stdout).differences).toEqual([expect.objectContaining({ field: "configs.region" })]);
  });

  test("knows what the refresh has found of a tenant whose replacement is created first", async () => {
    const type = "integration-platform:index:Tenant";
    const resource = { urn: `urn:pulumi:test::project::${type}::acme`, type };
    const state = (region: string, more: object = {}) => {
      const inputs = { name: "acme", integration: "billing", configs: { region } };
      return { id: "5001", inputs, outputs: { ...inputs, tenantId: 5001 }, ...more };
    };
    const refresh = { ...resource, op: "refresh", old: state("eu"), new: state("us") };
    const detailedDiff = { "configs.region": { kind: "update" } };
    // the engine marks the old state before it announces `replace`
    const replace = { ...resource, old: state("us", { delete: true }), new: state("eu") };
    const events = [
      { resourcePreEvent: { metadata: refresh } },
      { resOutputsEvent: { metadata: { ...refresh, detailedDiff } } },
      { resourcePreEvent: { metadata: { ...replace, op: "create-replacement", old: state("us") } } },
      { resourcePreEvent: { metadata: { ...replace, op: "replace" } } },
      { resourcePreEvent: { metadata: { ...replace, op: "delete-replaced", new: null } } },
    ];
    const { archives, differences } = JSON.parse((await drift([stack, ...events, end])).stdout);
    expect(differences).toContainEqual(expect.objectContaining({ field: "configs.region", changedOn: "platform" }));
    expect(archives).toEqual([{ tenant: "acme", tenantId: 5001 }]); // named once
  });

  test("ends with 2 if there is a difference", async () => {
    const { code, stdout } = await drift([stack, ...tenant("update", { paused: true }, { paused: false }), end]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).differences).toMatchObject([
      { tenant: "acme", field: "paused", declared: false, actual: true },
    ]);
  });

  test("a fleet that is replaced in another integration differs in each tenant", async () => {
    const inputs = (integration: string, more: object) => ({ integration, tenants: { a: { paused: true, ...more } } });
    const fleet = { type: "TenantFleet", detailedDiff: { integration: { kind: "update-replace" } } };
    const events = tenant("replace", inputs("one", { tenantId: 5001 }), inputs("two", {}), fleet);
    const { code, stdout } = await drift([stack, ...events, end]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      isInSync: false,
      differences: [{ tenant: "a", tenantId: 5001, field: "integration", declared: "two", actual: "one" }],
      archives: [{ tenant: "a", tenantId: 5001 }],
    });
  });

  test("metadata that move to another tenant are a difference", async () => {
    const inputs = (tenantId: number) => ({ tenantId, data: { plan: "gold" } });
    const events = tenant("replace", inputs(5001), inputs(5002), { type: "TenantMetadata" });
    const { code, stdout } = await drift([stack, ...events, end]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).differences).toMatchObject([{ field: "tenantId", declared: 5002, actual: 5001 }]);
  });

  test("a tenant that is replaced without a difference is not in sync", async () => {
    const same = { name: "acme", integration: "one", paused: true };
    const { code, stdout } = await drift([stack, ...tenant("replace", { ...same, tenantId: 5001 }, same), end]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ isInSync: false, differences: [], archives: [{ tenantId: 5001 }] });
  });

  test("metadata that are replaced without a difference are not in sync", async () => {
    const inputs = { tenantId: 5001, data: { plan: "gold" } };
    const events = [stack, ...tenant("replace", inputs, inputs, { type: "TenantMetadata" }), end];
    const { code, stdout } = await drift(events);
    expect(code).toBe(2);
    const replaced = { tenant: "tenant 5001", tenantId: 5001, declared: "replaced", actual: "exists" };
    expect(JSON.parse(stdout)).toMatchObject({ isInSync: false, differences: [replaced], archives: [] });
  });

  test("a retained tenant whose integration is a secret and changes is not in sync", async () => {
    const [inputs, detailedDiff] = [{ name: "acme", integration: secret }, { integration: { kind: "update-replace" } }];
    const options = { detailedDiff, retainOnDelete: true };
    const events = tenant("replace", { ...inputs, tenantId: 5001 }, inputs, options);
    const { code, stdout } = await drift([stack, ...events, end]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      differences: [{ field: "integration", declared: "(secret)", actual: "(secret)", isSecret: true }],
      archives: [],
    });
  });

  test("metadata show no placeholder of the engine if their tenant is created in the same preview", async () => {
    const inputs = (tenantId: unknown) => ({ tenantId, data: { plan: "gold" } });
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const events = tenant("replace", inputs(5001), inputs(unknown), { type: "TenantMetadata" });
    const { stdout } = await drift([stack, ...events, end]);
    expect(JSON.parse(stdout).differences).toMatchObject([
      { field: "tenantId", declared: "(not known yet)", actual: 5001 },
    ]);
  });

  test("compares the tenants of the native provider too", async () => {
    const prefix = "integration-platform:index";
    const { code, stdout } = await drift([
      stack,
      ...tenant("update", { paused: true }, { paused: false }, { prefix }),
      end,
    ]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ tenants: 1, differences: [{ tenant: "acme" }] });
  });

  test("ignores settings that are no longer declared, and inputs that cannot be observed", async () => {
    const actual = { paused: true, schedule: "0 0 * * *", adopt: "safe" };
    const { stdout } = await drift([stack, ...tenant("update", actual, { adopt: true, paused: false }), end]);
    expect(JSON.parse(stdout).differences).toMatchObject([{ field: "paused" }]);
  });

  test("names the integration if another one is declared", async () => {
    const events = tenant("replace", { integration: "one" }, { integration: "two" });
    expect(JSON.parse((await drift([stack, ...events, end])).stdout).differences).toMatchObject([
      { field: "integration", declared: "two", actual: "one" },
    ]);
  });

  test("reports a tenant that the program no longer declares", async () => {
    const { stdout } = await drift([stack, ...tenant("delete", {}, undefined), end]);
    expect(JSON.parse(stdout).differences).toEqual([
      expect.objectContaining({ tenant: "acme", actual: "exists", changedOn: "program" }),
    ]);
  });

  test("counts the tenants that wait for their customers, or for an init sync, each once", async () => {
    const wait = (key: string, until: string) => ({ path: ["configs", key], reason: "because", until });
    const options = { waitingFor: [wait("a", "options"), wait("b", "options")] };
    const both = { waitingFor: [wait("a", "options"), { path: ["paused"], reason: "because", until: "connected" }] };
    const tenants = { one: { tenantId: 1, ...both }, two: { tenantId: 2, ...options }, three: { tenantId: 3 } };
    const events = [
      ...tenant("same", { tenantId: 5, ...options }, options),
      ...tenant("same", { tenants }, { tenants }, { type: "TenantFleet", name: "billing" }),
    ];
    const { code, stdout } = await drift([stack, ...events, end]);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, tenantsWaiting: 1, tenantsWithoutOptions: 3 });
  });

  test("compares a tenant whose key in a fleet was renamed with its former key", async () => {
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

  test("takes a value that becomes a secret for unchanged, unless the engine reports a difference", async () => {
    const declared = { configs: { pin: secret, key: secret } };
    const detailedDiff = { "configs.pin": { kind: "update" } };
    const events = tenant("update", { configs: { pin: "1234", key: "k" } }, declared, { detailedDiff });
    const { stdout } = await drift([stack, ...events, end]);
    expect(JSON.parse(stdout).differences).toMatchObject([
      { field: "configs.pin", declared: "(secret)", actual: "(secret)", isSecret: true },
    ]);
    expect(stdout).not.toContain("1234");
  });

  test("reports a secret that the refresh found changed, if the provider names no path of the update", async () => {
    const configs = { token: secret, other: secret, region: "eu" };
    const events = tenant(
      "update",
      { configs },
      { configs },
      { refreshed: { "configs.token": {}, "configs.region": {} } },
    );
    const { code, stdout } = await drift([stack, ...events, end]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).differences).toMatchObject([
      { field: "configs.token", declared: "(secret)", actual: "(secret)", isSecret: true },
    ]);
  });

  test("masks a value that replaced an object with a secret that is no longer declared", async () => {
    const secretPaths = [["configs", "login", "password"]];
    const actual = { configs: { login: "ada:hand-written" }, secretPaths };
    const { stdout, stderr } = await drift([stack, ...tenant("update", actual, { configs: { region: "eu" } }), end]);
    expect(JSON.parse(stdout).differences).toMatchObject([
      { field: "configs.login", actual: "(secret)", isSecret: true },
      { field: "configs.region", declared: "eu" },
    ]);
    expect(stdout + stderr).not.toContain("hand-written");
  });

  test("masks values at the path of a secret of every kind of resource, whether it is still declared or not", async () => {
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
    const differences: { field: string; actual: string }[] = JSON.parse(stdout).differences;
    expect(differences).toHaveLength(12);
    for (const { field, actual } of differences) expect(actual).toBe(/\.login$/.test(field) ? "(secret)" : "shown");
  });

  test("reports differences in a setting, or in the tenants of a fleet, that is one secret", async () => {
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

  test("reports a difference between two secrets once, of every kind of resource", async () => {
    const events = [
      ...tenant(
        "update",
        { configs: { a: secret } },
        { configs: { a: secret } },
        { detailedDiff: { "configs.a": {} } },
      ),
      ...tenant(
        "update",
        { tenantId: 7, data: { "b-1": [secret] } },
        { tenantId: 7, data: { "b-1": [secret] } },
        { type: "TenantMetadata", detailedDiff: { 'data["b-1"][0]': {} } },
      ),
      ...tenant(
        "update",
        { tenants: { "two-2": { configs: { c: secret } } } },
        { tenants: { "two-2": { configs: { c: secret } } } },
        { type: "TenantFleet", detailedDiff: { 'tenants["two-2"].configs.c': {} } },
      ),
    ];
    const { stdout } = await drift([stack, ...events, end]);
    expect(JSON.parse(stdout).differences).toMatchObject([
      { tenant: "acme", field: "configs.a", isSecret: true },
      { tenant: "tenant 7", field: 'metadata["b-1"][0]', isSecret: true },
      { tenant: "two-2", field: "configs.c", isSecret: true },
    ]);
  });

  test("reports a reference to a secret as one value, and never what the platform has in its place", async () => {
    const token = { ref: "env:ACME_TOKEN", version: 3 };
    const actual = {
      api_token: { ...token, differs: true },
      older: { ...token, version: 2 },
      plain: "hidden-plain",
      list: [{ ...token, differs: true }, 1],
      literal: { literal: { ref: "env:A" } },
    };
    const declared = {
      api_token: token,
      older: token,
      plain: { ref: "env:B" },
      list: [token, 1],
      literal: { literal: { ref: "env:B" } },
      added: token,
    };
    const { stdout } = await drift([stack, ...tenant("update", { configs: actual }, { configs: declared }), end]);
    const text = "env:ACME_TOKEN (version 3)";
    expect(JSON.parse(stdout).differences).toMatchObject([
      { field: "configs.added", declared: text, isSecret: true },
      { field: "configs.api_token", declared: text, actual: "(differs)", isSecret: true },
      { field: "configs.list", declared: [token, 1], actual: [{ ...token, differs: true }, 1] },
      { field: "configs.literal", declared: { literal: { ref: "env:B" } }, actual: { literal: { ref: "env:A" } } },
      { field: "configs.older", declared: text, actual: "env:ACME_TOKEN (version 2)" },
      { field: "configs.plain", declared: "env:B", actual: "(secret)" },
    ]);
    expect(stdout).not.toContain("hidden");
  });

  test("counts the tenants of each override, and reports one that somebody resumed and one that is not applied", async () => {
    const override = { paused: true, reason: "INC-42", until: "2026-11-24T06:00:00Z" };
    const overridden = { paused: false };
    const resumed = { ...override, paused: false };
    const own = { paused: true, reason: "INC-7" };
    const entries = {
      actual: {
        applied: { tenantId: 1, overridden },
        resumed: { tenantId: 2, overridden, override: resumed },
        own: { tenantId: 3, overridden, override: own },
        removed: { tenantId: 4, overridden, override: { ...own, reason: "INC-8" } },
        begins: { tenantId: 5 },
      },
      declared: { applied: {}, resumed: {}, own: { override: own }, removed: {}, begins: {} },
    };
    const fleet = (tenants: object) => ({ override, tenants });
    const events = [
      ...tenant("update", fleet(entries.actual), fleet(entries.declared), { type: "TenantFleet" }),
      ...tenant("same", { override, overridden }, { override }),
    ];
    const { code, stdout } = await drift([stack, ...events, end]);
    expect(code).toBe(2);
    const report = JSON.parse(stdout);
    expect(report.overrides).toEqual([
      { reason: "INC-42", until: "2026-11-24T06:00:00Z", tenants: 3 },
      { reason: "INC-7", tenants: 1 },
      { reason: "INC-8", tenants: 1 },
    ]);
    expect(report.differences.map(({ tenant: name, field }: Record<string, unknown>) => `${name} ${field}`)).toEqual([
      "removed override.reason",
      "removed override.until",
      "resumed override.paused",
    ]);
    expect(report.differences.at(-1)).toMatchObject({ declared: true, actual: false });

    const first = tenant("update", {}, { override });
    expect(JSON.parse((await drift([stack, ...first, end])).stdout)).toMatchObject({
      overrides: [],
      differences: [{ field: "override", declared: override }],
    });
    // after `integration-platform pause`, and before the next `up`
    for (const value of [false, secret]) {
      const detailedDiff = { paused: {}, override: {} };
      const actual = { paused: value === false ? true : secret };
      const paused = tenant(
        "update",
        actual,
        { paused: value, override: own },
        { detailedDiff, refreshed: { paused: {} } },
      );
      expect(JSON.parse((await drift([stack, ...paused, end])).stdout).differences).toMatchObject([
        { field: "override", changedOn: "program" },
      ]);
    }
    const ended = { ...own, until: "2020-01-01T00:00:00Z" };
    const late = tenant("update", { paused: true }, { paused: false, override: ended });
    expect(JSON.parse((await drift([stack, ...late, end])).stdout).differences).toMatchObject([
      { field: "override" },
      { field: "paused" },
    ]);
    const last = tenant("update", { override, overridden }, {});
    expect(JSON.parse((await drift([stack, ...last, end])).stdout)).toMatchObject({
      overrides: [{ reason: "INC-42", tenants: 1 }],
      differences: [{ field: "override", actual: override }],
    });
  });

  test("whether an override has ended depends on the time by which the preview goes", async () => {
    const [at, until, later] = ["2020-01-01T00:00:00Z", "2020-01-01T01:00:00Z", "2020-01-01T02:00:00Z"];
    const override = { paused: true, reason: "INC-42", until };
    const notApplied = tenant("update", { paused: true }, { paused: false, override });
    const applied = tenant(
      "update",
      { paused: true, override, overridden: { paused: false } },
      { paused: false, override },
    );
    const fieldsAt = async (events: readonly object[], ...times: object[]) => {
      const { stdout } = await pulumi.drift([stack, ...events, end], { args: ["--json", "-"], times });
      return JSON.parse(stdout).differences.map(({ field }: Record<string, unknown>) => field);
    };
    expect(await fieldsAt(notApplied, { at, isBelieved: true })).toEqual(["override"]);
    expect(await fieldsAt(notApplied, { at, isBelieved: true }, { at: later, isBelieved: true })).toEqual([
      "override",
      "paused",
    ]);
    expect(await fieldsAt(applied, { at: later, isBelieved: true })).toEqual(["paused"]);
    // one provider knows the time, another one does not
    expect(await fieldsAt(notApplied, { at, isBelieved: true }, { at: later, isBelieved: false })).toEqual([
      "override",
    ]);
    // nobody knows it: what is applied stays in force
    expect(await fieldsAt(applied, { at: later, isBelieved: false })).toEqual([]);
    expect(await fieldsAt(notApplied, { at: later, isBelieved: false })).toEqual(["override", "paused"]);
  });

  test("prints warnings once each, and no debug messages, which can contain secrets", async () => {
    const message = (severity: string, text: string) => ({ diagnosticEvent: { severity, message: `${text}\n` } });
    const messages = [
      message("warning", "a warning"),
      message("warning", "a warning"),
      message("info#err", "a message of a provider\u001b[31m"),
      message("debug", "RegisterResource RPC finished: token,hidden"),
      message("info", "an information"),
    ];
    const { code, stderr } = await drift([stack, ...messages, end]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "a warning\na message of a provider\\u001b[31m\n" });
  });

  test("ends with 1 and the messages of the engine if the preview failed", async () => {
    const error = { diagnosticEvent: { severity: "error", message: "no such stack\u001b[31m" } };
    const { code, stdout, stderr } = await drift([error], 255);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      "error: `pulumi preview --refresh` failed with exit code 255, so it is not known whether there is drift:\n  no such stack\\u001b[31m\n",
    );
  });

  test("ends with 1 if the output of the preview was cut off", async () => {
    const { code, stdout } = await drift([stack, ...tenant("same", {}, {})]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  });

  test("tells the new tenants of two fleets apart, although they have the same names", async () => {
    const fleet = (name: string) => {
      const inputs = { name, integration: name, tenants: { acme: { paused: false }, globex: { paused: false } } };
      return tenant("update", { ...inputs, tenants: {} }, inputs, { type: "TenantFleet", name });
    };
    const events = [stack, ...fleet("billing"), ...fleet("crm"), end];
    const { stdout: text } = await pulumi.drift(events);
    expect(text).toContain("4 of 4 tenants differ");
    for (const name of ["acme (TenantFleet billing)", "acme (TenantFleet crm)", "globex (TenantFleet crm)"])
      expect(text).toContain(name);
    const { stdout: html } = await pulumi.drift(events, { args: ["--html", "-"] });
    expect(new Set(html.match(/<article id="[^"]*"/g))).toHaveProperty("size", 4);
  });

  test("reports a tenant that `up` would import", async () => {
    const type = "integration-platform:index:Tenant";
    const metadata = {
      op: "import",
      urn: `urn:pulumi:test::project::${type}::acme`,
      type,
      old: { inputs: { name: "acme" } },
      new: { inputs: { name: "acme" } },
    };
    const { code, stdout } = await drift([stack, { resourcePreEvent: { metadata } }, end]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).differences).toEqual([
      { tenant: "acme", resource: "Tenant acme", declared: "exists", isSecret: false, changedOn: "program" },
    ]);
  });

  test.each([
    ["same", "eu", []],
    ["update", "us", ["configs.region"]],
  ])("reports that and what else differs if the import's next step is `%s`", async (op, region, fields) => {
    const type = "integration-platform:index:Tenant";
    const imported = { inputs: { name: "acme", configs: { region: "eu" } }, outputs: { tenantId: 5001 } };
    const declared = { inputs: { name: "acme", configs: { region } } };
    const resource = { urn: `urn:pulumi:test::project::${type}::acme`, type, new: declared };
    const events = [
      { resourcePreEvent: { metadata: { ...resource, op: "import", old: null } } },
      { resOutputsEvent: { metadata: { ...resource, op: "import", old: imported } } },
      { resourcePreEvent: { metadata: { ...resource, op, old: imported } } },
    ];
    const { code, stdout } = await drift([stack, ...events, end]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      archives: [],
      differences: [
        { tenant: "acme", tenantId: 5001, declared: "exists", changedOn: "program" },
        ...fields.map((field) => ({ field, declared: "us", actual: "eu", changedOn: "program" })),
      ],
    });
  });

  test.each([
    ["an unknown operation", { op: "merge" }, 'unknown operation "merge"'],
    ["another shape", { new: { inputs: ["hidden"] } }, "resourcePreEvent.metadata.new.inputs: Invalid input"],
    ["no type", { type: 7, urn: undefined }, "resourcePreEvent.metadata.type: Invalid input"],
  ])("ends with 1 for a step of a tenant with %s", async (_, change, reason) => {
    const type = "integration-platform:index:Tenant";
    const metadata = { op: "same", urn: `urn:pulumi:test::project::${type}::acme`, type, ...change };
    const { code, stdout, stderr } = await drift([stack, { resourcePreEvent: { metadata } }, end]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("so it is not known whether there is drift");
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain("hidden");
  });

  test("ignores steps of other packages that it cannot read, and steps that repeat another one", async () => {
    const step = (type: string, change: object) => ({
      resourcePreEvent: { metadata: { op: "same", urn: `urn:pulumi:test::project::${type}::x`, type, ...change } },
    });
    const own = ["create-replacement", "delete-replaced", "read", "discard", "remove-pending-replace"];
    const { code } = await drift([
      stack,
      step("other:index:Thing", { op: "merge" }),
      step("other:index:Thing", { new: { inputs: ["odd"] } }),
      ...own.map((op) => step("integration-platform:index:Tenant", { op })),
      end,
    ]);
    expect(code).toBe(0);
  });

  test("ends with 1 if there is no Pulumi CLI, or if a report cannot be written", async () => {
    const { code, stderr } = await runCli(undefined, ["drift"], { PATH: "/nowhere" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot start `pulumi preview`: .*Check that the Pulumi CLI is on PATH/);
    const unwritable = await drift([stack, end], 0, ["--html", "/nowhere/drift.html"]);
    expect(unwritable.code).toBe(1);
    expect(unwritable.stderr).toMatch(/cannot write the drift report to .*ENOENT/);
  });

  test("ends with 64 if two reports go to standard output", async () => {
    const { code, stdout } = await drift([stack, end], 0, ["--markdown", "-"]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  });
});
