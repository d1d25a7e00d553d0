import { describe, expect, test } from "vitest";
import { createClient, createSecretRegistry } from "../../../src/api/index.ts";
import type { Variants } from "../../../src/emulator/index.ts";
import type { JsonObject, JsonValue } from "../../../src/json/json-value.ts";
import { createOperationContext } from "../../../src/operation/operation-context.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { tenantLifecycle } from "../../../src/resources/tenant/lifecycle.ts";
import { type TenantInputs, tenantStateSchema } from "../../../src/resources/tenant/schema.ts";
import { tenantMetadataLifecycle } from "../../../src/resources/tenant-metadata/lifecycle.ts";
import { createSecretValues } from "../../../src/secrets/secret-values.ts";
import { failureOf, type Stage, stage } from "../stage.ts";

// Tenants whose configs and metadata refer to secrets. The values come from a resolver of the test, which counts and can be
// down. What the platform has is read from the emulator; no value may be in a state, an input, a warning or an error.

const password = { type: "string", format: "password" };
const schema = {
  properties: {
    ...{ region: { type: "string" }, token: password, plain: {}, list: {} },
    database: { type: "object", properties: { port: { type: "integer" } } },
  },
};
const base = { integration: "vault", name: "acme" };
const ref = (version: number | string = 1) => ({ ref: "test:token", version });
const inputs: TenantInputs = {
  ...base,
  configs: { region: "eu", token: ref(), plain: ref() },
  metadata: { key: ref() },
};

async function scene(variants: Partial<Variants> = {}) {
  const release = { id: 2, name: "v1", config_schema: schema, metadata_schema: { properties: { key: password } } };
  const seed = { integrations: [{ id: 1, name: "vault", default_release_id: 2, releases: [release] }] };
  const on = await stage({ seed, variants });
  /** The values by `rest@version`. */
  const values = new Map<string, JsonValue>([
    ["token@1", "s3cret-one"],
    ["token@2", "s3cret-two"],
    ["other@1", "0ther-value"],
  ]);
  const asked: string[] = [];
  const state = { isDown: false };
  const notCompared: unknown[] = [];
  const operation = () => {
    const registry = createSecretRegistry();
    const client = createClient({ baseUrl: on.emulator.url, apiKey: on.emulator.apiKey, secrets: registry });
    const context = createOperationContext({
      client,
      warn: (message) => on.warnings.push(message),
      consistencyTimeoutSeconds: 0.3,
      recordNotCompared: ({ paths }) => notCompared.push(...paths),
      secretValues: createSecretValues({
        resolvers: {
          test:
            async () =>
            async (rest, { version }) => {
              asked.push(`${rest}@${version}`);
              if (state.isDown) throw new Error("the test is down");
              const value = values.get(`${rest}@${version}`);
              if (value === undefined) throw new Error("there is none");
              return value;
            },
        },
        register: registry.add,
        signal: new AbortController().signal,
      }),
    });
    return { tenant: tenantLifecycle(context), metadata: tenantMetadataLifecycle(context) };
  };
  return {
    on,
    values,
    asked,
    state,
    notCompared,
    operation,
    tenant: () => operation().tenant,
    [Symbol.asyncDispose]: () => on[Symbol.asyncDispose](),
  };
}

/** Nothing that a user or a file sees has a value. */
function expectNoValue(on: Stage, ...seen: unknown[]) {
  const text = JSON.stringify([...seen, on.warnings, on.notes]);
  for (const value of ["s3cret-one", "s3cret-two", "0ther-value", "by-hand"]) expect(text).not.toContain(value);
}

// The keys of a free-form object are the user's: the object itself is never a reference and never an escape.
describe.concurrent.each<[string, JsonObject, JsonObject]>([
  ["{ ref }", { ref: "main" }, { ref: "main" }],
  ["{ ref } with a scheme", { ref: "test:token" }, { ref: "test:token" }],
  ["{ ref, version }", { ref: "test:token", version: 1 }, { ref: "test:token", version: 1 }],
  ["{ ref, differs }", { ref: "test:token", differs: true }, { ref: "test:token", differs: true }],
  ["{ literal } around an escaped object", { literal: { literal: { ref: "x" } } }, { literal: { ref: "x" } }],
  ["{ literal } around a reference", { literal: { ref: "test:token", version: 1 } }, { literal: "s3cret-one" }],
  ["{ ref } that is a reference", { ref: { ref: "test:token", version: 1 } }, { ref: "s3cret-one" }],
])("configs and metadata that are %s as a whole", (_, declared, sent) => {
  const wholes: TenantInputs = { ...base, configs: declared, metadata: declared };

  test("are created, read, changed and imported as they are", async () => {
    await using at = await scene();
    expect(await at.tenant().check(wholes, undefined)).toEqual([]);
    const { id, state } = await at.tenant().create(wholes);
    expect(await at.on.tenant(id)).toMatchObject({ configs: sent, metadata: sent });
    expect(state).toMatchObject({ configs: declared, metadata: declared });
    expect(await at.tenant().read(id, state)).toEqual({ inputs: wholes, state });
    expect(await at.tenant().diff(id, state, wholes)).toEqual({ isChanged: false });
    const more = { ...wholes, configs: { ...declared, region: "eu" } };
    const updated = await at.tenant().update(id, state, more);
    expect((await at.on.tenant(id)).configs).toEqual({ ...sent, region: "eu" });
    expectNoValue(at.on, updated);
    const back = await at.tenant().update(id, updated, wholes);
    expect(await at.on.tenant(id)).toMatchObject({ configs: sent, metadata: sent });
    expect(back).toMatchObject({ configs: declared, metadata: declared });
  });

  test("are drift key by key", async () => {
    await using at = await scene();
    const { id, state } = await at.tenant().create(wholes);
    const [key = ""] = Object.keys(declared);
    await at.on.changeByHand(id, { configs: { ...sent, [key]: "by hand" } });
    const read = await at.tenant().read(id, state);
    const isReference = typeof sent[key] === "string" && typeof declared[key] !== "string";
    const shown = isReference ? { ref: "test:token", version: 1, differs: true } : "by hand";
    expect(read?.inputs).toEqual({ ...wholes, configs: { ...declared, [key]: shown } });
    await at.tenant().update(id, tenantStateSchema.parse(read?.state), wholes);
    expect((await at.on.tenant(id)).configs).toEqual(sent);
  });

  test("are found again by the POST whose response was lost, and taken over", async () => {
    await using at = await scene();
    at.on.emulator.fault({ kind: "cut-after", match: { path: "^/v2/tenants$", method: "POST" }, times: 1 });
    const { id, state } = await at.tenant().create(wholes);
    const adopted = await at.tenant().create(wholes);
    expect([adopted.id, adopted.state.configs]).toEqual([id, state.configs]);
  });

  test("are metadata of a TenantMetadata", async () => {
    await using at = await scene();
    const { id } = await at.tenant().create(base);
    const own = { tenantId: Number(id), data: declared };
    expect(await at.operation().metadata.check(own, undefined)).toEqual([]);
    const { state } = await at.operation().metadata.create(own);
    expect((await at.on.tenant(id)).metadata).toEqual(sent);
    expect(await at.operation().metadata.read(id, state)).toEqual({ inputs: own, state });
  });
});

const secretDisplays = ["no", "yes", "other", "left-out"] as const;

describe.concurrent.each(secretDisplays)("on a platform with maskedConfigs %s", (maskedConfigs) => {
  test("the platform gets the values; inputs and state have the references; a refresh finds nothing", async () => {
    await using at = await scene({ maskedConfigs });
    const { id, state } = await at.tenant().create(inputs);
    expect(await at.on.tenant(id)).toMatchObject({
      configs: { region: "eu", token: "s3cret-one", plain: "s3cret-one" },
      metadata: { key: "s3cret-one" },
    });
    expect(state).toMatchObject({ configs: inputs.configs, metadata: inputs.metadata });
    const read = await at.tenant().read(id, state);
    expect(read).toEqual({ inputs, state });
    expect(await at.tenant().diff(id, state, inputs)).toEqual({ isChanged: false });
    expectNoValue(at.on, state, read);
  });

  test("a new version is written, and only it", async () => {
    await using at = await scene({ maskedConfigs });
    const { id, state } = await at.tenant().create(inputs);
    const next = { ...inputs, configs: { ...inputs.configs, token: ref(2) }, metadata: { key: ref(2) } };
    expect(await at.tenant().diff(id, state, next)).toEqual({ isChanged: true });
    const updated = await at.tenant().update(id, state, next);
    expect(await at.on.tenant(id)).toMatchObject({
      configs: { region: "eu", token: "s3cret-two", plain: "s3cret-one" },
      metadata: { key: "s3cret-two" },
    });
    expect(updated).toMatchObject({ configs: next.configs, metadata: next.metadata });
    expect(await at.tenant().read(id, updated)).toEqual({ inputs: next, state: updated });
    expectNoValue(at.on, updated);
  });

  test("a version that is only a marker writes the resolver's new value", async () => {
    await using at = await scene({ maskedConfigs });
    const { id, state } = await at.tenant().create({ ...base, configs: { token: ref(1) } });
    at.values.set("token@1", "s3cret-two").set("token@1b", "s3cret-two");
    await at.tenant().update(id, state, { ...base, configs: { token: ref("1b") } });
    expect((await at.on.tenant(id)).configs).toMatchObject({ token: "s3cret-two" });
  });

  test("an old version that is gone does not matter", async () => {
    await using at = await scene({ maskedConfigs });
    const { id, state } = await at.tenant().create(inputs);
    at.values.delete("token@1");
    const next = { ...base, configs: { token: ref(2), plain: ref(2), region: "eu" }, metadata: { key: ref(2) } };
    at.asked.length = 0;
    await at.tenant().update(id, state, next);
    expect(at.asked).toEqual(["token@2"]);
    expect((await at.on.tenant(id)).configs).toMatchObject({ token: "s3cret-two", plain: "s3cret-two" });
    expect(at.on.warnings).toEqual([]);
  });

  test("while the resolver is down, a refresh changes nothing and counts; afterwards it changes nothing either", async () => {
    await using at = await scene({ maskedConfigs });
    const { id, state } = await at.tenant().create(inputs);
    at.state.isDown = true;
    const read = await at.tenant().read(id, state);
    expect(read).toEqual({ inputs, state });
    expect(at.on.warnings).toEqual([
      "the secret test:token (version 1) cannot be resolved: the test is down. " +
        "Its value is not compared, and a write that needs it fails",
    ]);
    const hidden = (state.unreadablePaths ?? []).map((path) => path.join("."));
    const all = ["configs.token", "configs.plain", "metadata.key"];
    expect(at.notCompared).toEqual(all.filter((path) => !hidden.includes(path)).map((path) => path.split(".")));
    at.state.isDown = false;
    expect(await at.tenant().read(id, read?.state ?? state)).toEqual({ inputs, state });
    await at.on.changeByHand(id, { configs: { region: "us", token: "s3cret-one", plain: "s3cret-one" } });
    at.state.isDown = true;
    expect((await at.tenant().read(id, state))?.inputs.configs).toEqual({ ...inputs.configs, region: "us" });
  });

  test("while the resolver is down, a pause and a schedule are written, and a config change fails by name", async () => {
    await using at = await scene({ maskedConfigs });
    const { id, state } = await at.tenant().create({ ...inputs, paused: false });
    at.state.isDown = true;
    const paused = await at.tenant().update(id, state, { ...inputs, paused: true });
    expect(await at.on.tenant(id)).toMatchObject({ paused: true });
    const changed = { ...inputs, paused: false, schedule: "0 1 * * *", configs: { ...inputs.configs, region: "us" } };
    at.on.emulator.clearRequests();
    const failure = await failureOf(at.tenant().update(id, paused, changed));
    expect(failure.message).toMatch(
      /tenant "acme" \(id \d+\): configs\.token refers to test:token \(version 1\), which cannot be resolved: the test is down/,
    );
    expect(await at.on.tenant(id)).toMatchObject({
      paused: true,
      user_schedule: "0 1 * * *",
      configs: { region: "eu" },
    });
    if (!(failure instanceof IncompleteError)) throw failure;
    const kept = tenantStateSchema.parse(failure.state);
    expect(kept).toMatchObject({ configs: inputs.configs, schedule: "0 1 * * *", paused: true });
    at.state.isDown = false;
    await at.tenant().update(id, kept, changed);
    expect(await at.on.tenant(id)).toMatchObject({ paused: false, configs: { region: "us", token: "s3cret-one" } });
    expectNoValue(at.on, failure.message, kept);
  });
});

describe.concurrent("on a platform that shows secrets", () => {
  test("a change by hand is drift: the state gets a mark and never the value; up repairs it", async () => {
    await using at = await scene({ maskedConfigs: "no" });
    const { id, state } = await at.tenant().create(inputs);
    await at.on.changeByHand(id, { configs: { region: "eu", token: "by-hand" }, metadata: { key: "by-hand" } });
    const read = await at.tenant().read(id, state);
    const differs = { ...ref(), differs: true };
    expect(read?.inputs).toEqual({ ...inputs, configs: { region: "eu", token: differs }, metadata: { key: differs } });
    expectNoValue(at.on, read);
    if (read === undefined) throw new Error("not read");
    expect(await at.tenant().read(id, read.state)).toEqual(read);
    expect(await at.tenant().diff(id, read.state, inputs)).toEqual({ isChanged: true });
    const repaired = await at.tenant().update(id, read.state, inputs);
    expect(repaired).toEqual(state);
    expect(await at.on.tenant(id)).toMatchObject({
      configs: { token: "s3cret-one", plain: "s3cret-one" },
      metadata: { key: "s3cret-one" },
    });
  });

  test("drift that was repaired by hand is gone after a refresh", async () => {
    await using at = await scene({ maskedConfigs: "no" });
    const { id, state } = await at.tenant().create(inputs);
    await at.on.changeByHand(id, { configs: { region: "eu", token: "by-hand", plain: "s3cret-one" } });
    const drifted = await at.tenant().read(id, state);
    await at.on.changeByHand(id, { configs: { region: "eu", token: "s3cret-one", plain: "s3cret-one" } });
    expect(await at.tenant().read(id, drifted?.state ?? state)).toEqual({ inputs, state });
  });

  const nested = {
    database: { user: "acme", password: ref() },
    list: ["a", ref(), { ref: "test:other", version: 1 }],
  };
  test.each<[string, JsonObject, JsonObject]>([
    [
      "a list with more items",
      { list: ["a", "s3cret-one", "0ther-value", "by-hand"] },
      { list: ["a", { ...ref(), differs: true }, { ref: "test:other", version: 1, differs: true }] },
    ],
    [
      "a list in another order",
      { list: ["a", "0ther-value", "s3cret-one"] },
      { list: ["a", { ...ref(), differs: true }, { ref: "test:other", version: 1, differs: true }] },
    ],
    [
      "a parent that became a text",
      { database: "by-hand" },
      { database: { user: "acme", password: { ...ref(), differs: true } } },
    ],
    [
      "a key that was added beside it",
      { database: { user: "acme", password: "s3cret-one", more: "by-hand" } },
      { database: { user: "acme", password: ref(), more: "(not shown, as it may be a secret)" } },
    ],
    [
      "a text that became the secret",
      { database: { user: "s3cret-one", password: "s3cret-one" } },
      { database: { user: "(not shown, as it may be a secret)", password: ref() } },
    ],
    [
      "another part of the same key",
      { database: { user: "other", password: "s3cret-one" } },
      { database: { user: "other", password: ref() } },
    ],
  ])("a reference at any depth is found, and no value is shown: %s", async (_, live, seen) => {
    await using at = await scene({ maskedConfigs: "no" });
    const declared = { ...base, configs: nested };
    const { id, state } = await at.tenant().create(declared);
    const sent = { database: { user: "acme", password: "s3cret-one" }, list: ["a", "s3cret-one", "0ther-value"] };
    expect((await at.on.tenant(id)).configs).toEqual(sent);
    expect(state.configs).toEqual(nested);
    await at.on.changeByHand(id, { configs: { ...sent, ...live } });
    const read = await at.tenant().read(id, state);
    expect(read?.inputs.configs).toEqual({ ...nested, ...seen });
    expectNoValue(at.on, read);
    expect(await at.tenant().update(id, read?.state ?? state, declared)).toEqual(state);
    expect((await at.on.tenant(id)).configs).toEqual(sent);
  });

  test("a reference that takes the place of a value, and the way back, never put the value into a state", async () => {
    await using at = await scene({ maskedConfigs: "no" });
    const { id, state } = await at.tenant().create({ ...base, configs: { token: "by-hand" } });
    at.state.isDown = true;
    const toReference = await failureOf(at.tenant().update(id, state, { ...base, configs: { token: ref() } }));
    if (!(toReference instanceof IncompleteError)) throw toReference;
    expectNoValue(at.on, toReference.state);
    at.state.isDown = false;
    const referring = await at.tenant().update(id, state, { ...base, configs: { token: ref() } });
    at.on.emulator.fault({ kind: "status", status: 422, times: 1, match: { method: "PATCH" } });
    const back = await failureOf(at.tenant().update(id, referring, { ...base, configs: { token: "plain-text" } }));
    if (!(back instanceof IncompleteError)) throw back;
    expectNoValue(at.on, back.state);
    await at.tenant().update(id, tenantStateSchema.parse(back.state), { ...base, configs: { token: "plain-text" } });
    expect((await at.on.tenant(id)).configs).toEqual({ token: "plain-text" });
  });

  test("what a platform answers about a refused value is not shown", async () => {
    await using at = await scene({ maskedConfigs: "no" });
    at.on.emulator.fault({
      kind: "status",
      status: 422,
      times: 1,
      match: { method: "POST" },
      body: { message: "bad s3cret-one" },
    });
    const failure = await failureOf(at.tenant().create(inputs));
    expect(failure.message).toContain("[secret]");
    expectNoValue(at.on, failure.message);
  });
});

test.concurrent("one operation asks once for a reference and version, also if that fails, for all of its tenants", async () => {
  await using at = await scene();
  const { tenant } = at.operation();
  const made = await Promise.all(["one", "two", "three"].map((name) => tenant.create({ ...inputs, name })));
  expect(at.asked).toEqual(["token@1"]);
  at.asked.length = 0;
  at.state.isDown = true;
  const reading = at.operation().tenant;
  await Promise.all(made.map(({ id, state }) => reading.read(id, state)));
  expect(at.asked).toEqual(["token@1"]);
  expect(at.on.warnings).toHaveLength(1);
});

describe.concurrent("a check warns of a reference without a value that the last up did not have", () => {
  const warning =
    "the secret test:gone (version 1) cannot be resolved: there is none. Its value is not compared, and a write that needs it fails";
  const gone = { ref: "test:gone", version: 1 };

  test("of a new tenant, once", async () => {
    await using at = await scene();
    const { tenant } = at.operation();
    const configs = { region: "eu", token: ref(), list: [gone] };
    expect(await tenant.check({ ...base, configs, metadata: { key: gone } }, undefined)).toEqual([]);
    expect(await tenant.check({ ...base, name: "bluebird", configs }, undefined)).toEqual([]);
    expect(at.on.warnings).toEqual([warning]);
    expect(at.asked.sort()).toEqual(["gone@1", "token@1"]);
  });

  test("of a tenant that has others", async () => {
    await using at = await scene();
    await at.tenant().create(inputs);
    const now = { ...inputs, configs: { ...inputs.configs, token: gone } };
    expect(await at.tenant().check(now, inputs)).toEqual([]);
    expect(at.on.warnings).toEqual([warning]);
  });

  test("of a TenantMetadata", async () => {
    await using at = await scene();
    const tenantId = await at.on.add({ integration: "vault", name: "acme" });
    const { metadata } = at.operation();
    expect(await metadata.check({ tenantId, data: { key: gone } }, undefined)).toEqual([]);
    expect(await metadata.check({ tenantId, data: { key: gone } }, { tenantId, data: { key: gone } })).toEqual([]);
    expect(at.on.warnings).toEqual([warning]);
  });
});

test.concurrent("a diff and a check of an existing tenant resolve nothing", async () => {
  await using at = await scene();
  const { id, state } = await at.tenant().create(inputs);
  at.asked.length = 0;
  expect(await at.tenant().check(inputs, inputs)).toEqual([]);
  expect(await at.tenant().diff(id, state, { ...inputs, paused: true })).toEqual({ isChanged: true });
  expect(at.asked).toEqual([]);
});

test.concurrent("a new tenant is not created without its secrets, and a failed metadata write keeps the tenant", async () => {
  await using at = await scene();
  at.state.isDown = true;
  const failure = await failureOf(at.tenant().create(inputs));
  expect(failure.message).toMatch(/tenant "acme" cannot be created: configs\.token refers to test:token/);
  expect(await at.on.live()).toEqual([]);
  const onlyMetadata = await failureOf(at.tenant().create({ ...base, metadata: { key: ref() } }));
  expect(onlyMetadata).toBeInstanceOf(IncompleteError);
  expect(onlyMetadata.message).toMatch(/metadata\.key refers to test:token/);
  expect(await at.on.live()).toHaveLength(1);
});

test.concurrent("a tenant that a killed up left behind is taken over if it has the values of the references", async () => {
  await using at = await scene({ maskedConfigs: "no" });
  const { id } = await at
    .tenant()
    .create({ ...base, configs: { token: "s3cret-one", plain: "s3cret-one", region: "eu" } });
  expect((await at.tenant().create(inputs)).id).toBe(id);
  const other = await failureOf(at.tenant().create({ ...inputs, configs: { ...inputs.configs, token: ref(2) } }));
  expect(other.message).toMatch(/it differs in configs\.token/);
});

test.concurrent("an object that looks like a reference is declared with an escape", async () => {
  await using at = await scene({ maskedConfigs: "no" });
  const configs = {
    plain: { literal: { ref: "main" } },
    list: [{ literal: { literal: { ref: "env:X", version: 1 } } }],
  };
  const { id, state } = await at.tenant().create({ ...base, configs });
  expect((await at.on.tenant(id)).configs).toEqual({
    plain: { ref: "main" },
    list: [{ literal: { ref: "env:X", version: 1 } }],
  });
  expect(state.configs).toEqual(configs);
  expect(await at.tenant().read(id, state)).toEqual({ inputs: { ...base, configs }, state });
  await at.on.changeByHand(id, { configs: { plain: { ref: "test:token" }, list: [] } });
  const read = await at.tenant().read(id, state);
  expect(read?.inputs.configs).toEqual({ plain: { literal: { ref: "test:token" } }, list: [] });
  expect(at.asked).toEqual([]);
  expect((await at.tenant().import?.(id))?.inputs.configs).toMatchObject({ plain: { literal: { ref: "test:token" } } });
});

test.concurrent.each<[JsonValue, RegExp]>([
  [{ ref: "main" }, /^configs\.plain: .*is not like env:NAME.*\{ literal: \{ ref/],
  [{ ref: "test:token", version: 1.5 }, /^configs\.plain: .*neither a whole number nor a string/],
  [[{ ref: "tset:token" }], /^configs\.plain\.0: .*unknown scheme.*"test".*literal/],
  [{ ref: "vault:secret" }, /^configs\.plain: must be like vault:secret\/acme#api_token/],
  [{ ref: "env:A B" }, /^configs\.plain: is not the name of an environment variable/],
])("what cannot be resolved is an invalid input: %j", async (plain, message) => {
  await using at = await scene();
  const failures = await at.tenant().check({ ...base, configs: { plain } }, undefined);
  expect(failures.map(({ property, reason }) => `${property}: ${reason}`)).toEqual([expect.stringMatching(message)]);
});

test.concurrent("with ignoreChanges, what a refresh observed is declared again, and nothing is due", async () => {
  await using at = await scene({ maskedConfigs: "no" });
  const { id, state } = await at.tenant().create(inputs);
  await at.on.changeByHand(id, { configs: { region: "eu", token: "by-hand", plain: "s3cret-one" } });
  const read = await at.tenant().read(id, state);
  if (read === undefined) throw new Error("not read");
  expect(await at.tenant().check(read.inputs, read.inputs)).toEqual([]);
  expect(await at.tenant().diff(id, read.state, read.inputs)).toEqual({ isChanged: false });
  expect(await at.tenant().diff(id, state, read.inputs)).toEqual({ isChanged: false });
});

describe.concurrent("with ignoreChanges, an update leaves a reference's value that somebody has changed", () => {
  const token = { region: "eu", token: "by-hand", database: { host: "db", password: "by-hand" } };
  const both: TenantInputs = {
    ...base,
    configs: { region: "eu", token: ref(), database: { host: "db", password: ref() } },
  };

  test("also while the reference cannot be resolved", async () => {
    await using at = await scene();
    const { id, state } = await at.tenant().create(both);
    await at.on.changeByHand(id, { configs: token });
    const read = await at.tenant().read(id, state);
    if (read === undefined) throw new Error("not read");
    for (const isDown of [false, true]) {
      at.state.isDown = isDown;
      const now = { ...read.inputs, configs: { ...read.inputs.configs, region: isDown ? "us" : "mars" } };
      const updated = await at.tenant().update(id, read.state, now);
      expect((await at.on.tenant(id)).configs).toEqual({ ...token, region: now.configs.region });
      expect(updated.configs).toEqual(now.configs);
      expectNoValue(at.on, updated);
    }
    at.state.isDown = false;
    await at.tenant().update(id, read.state, both);
    expect((await at.on.tenant(id)).configs).toMatchObject({
      token: "s3cret-one",
      database: { password: "s3cret-one" },
    });
  });

  test("and refuses one that would write a mask in its place", async () => {
    await using at = await scene();
    const { id, state } = await at.tenant().create(both);
    await at.on.changeByHand(id, { configs: token });
    const read = await at.tenant().read(id, state);
    if (read === undefined) throw new Error("not read");
    at.on.emulator.setVariants({ maskedConfigs: "yes" });
    const now = { ...read.inputs, configs: { ...read.inputs.configs, region: "us" } };
    const { message } = await failureOf(at.tenant().update(id, read.state, now));
    expect(message).toMatch(/hides .*configs\.(token|database\.password)|configs\.(token|database).*hides/);
    expect((await at.on.tenant(id)).configs).toEqual(token);
  });
});

test.concurrent("TenantMetadata resolves, compares and fails in the same way", async () => {
  await using at = await scene({ maskedConfigs: "no" });
  const tenantId = await at.on.add({ integration: "vault", name: "acme" });
  const declared = { tenantId, data: { plan: "gold", key: ref() } };
  const { id, state } = await at.operation().metadata.create(declared);
  expect((await at.on.tenant(id)).metadata).toEqual({ plan: "gold", key: "s3cret-one" });
  expect(state).toEqual(declared);
  await at.on.changeByHand(id, { metadata: { plan: "gold", key: "by-hand" } });
  const read = await at.operation().metadata.read(id, state);
  expect(read?.inputs.data).toEqual({ plan: "gold", key: { ...ref(), differs: true } });
  expect(await at.operation().metadata.diff(id, read?.state ?? state, declared)).toEqual({ isChanged: true });
  at.state.isDown = true;
  const failure = await failureOf(
    at.operation().metadata.update(id, state, { tenantId, data: { plan: "silver", key: ref() } }),
  );
  expect(failure.message).toMatch(/metadata\.key refers to test:token \(version 1\)/);
  at.state.isDown = false;
  expect(await at.operation().metadata.update(id, read?.state ?? state, declared)).toEqual(declared);
  expect((await at.on.tenant(id)).metadata).toEqual({ plan: "gold", key: "s3cret-one" });
  expectNoValue(at.on, state, read, failure.message);
});

describe.concurrent("a value that a read withholds", () => {
  const nested: TenantInputs = { ...base, configs: { region: "eu", database: { host: "db", password: ref() } } };

  test("is not shown by later reads either, and a write that ignores changes leaves it as it is", async () => {
    await using at = await scene();
    const { id, state } = await at.tenant().create(nested);
    const byHand = { host: "db", password: "s3cret-one", extra: "by-hand" };
    await at.on.changeByHand(id, { configs: { region: "s3cret-one", database: byHand } });
    const first = await at.tenant().read(id, state);
    if (first === undefined) throw new Error("it is gone");
    const second = await at.tenant().read(id, first.state);
    expectNoValue(at.on, first, second);
    expect(second).toEqual(first);
    await at.tenant().update(id, first.state, { ...first.inputs, schedule: "1 1 * * *" });
    await at.tenant().update(id, first.state, { ...first.inputs, configs: { ...first.inputs.configs, plain: "new" } });
    expect(await at.on.tenant(id)).toMatchObject({ configs: { region: "s3cret-one", plain: "new", database: byHand } });
  });

  test("is not overwritten with its mask by a write that ignores changes, nor missed once it is gone", async () => {
    await using at = await scene({ maskedConfigs: "yes" });
    const { id, state } = await at.tenant().create(nested);
    const byHand = { host: "db", password: "s3cret-one", token: "***" };
    await at.on.changeByHand(id, { configs: { region: "eu", database: byHand } });
    const read = await at.tenant().read(id, state);
    if (read === undefined) throw new Error("it is gone");
    expectNoValue(at.on, read);
    const now = { ...read.inputs, configs: { ...read.inputs.configs, region: "us" } };
    const { message } = await failureOf(at.tenant().update(id, read.state, now));
    expect(message).toContain("the platform hides configs.database.token in reads");
    expect(await at.on.tenant(id)).toMatchObject({ configs: { region: "eu", database: byHand } });

    await at.on.changeByHand(id, { configs: { region: "eu", database: { host: "db", password: "s3cret-one" } } });
    await at.tenant().update(id, read.state, now);
    const after = { region: "us", database: { host: "db", password: "s3cret-one" } };
    expect(await at.on.tenant(id)).toMatchObject({ configs: after });
  });

  test("of another kind than the schema's passes the check of what ignoreChanges declares again", async () => {
    await using at = await scene();
    const { id, state } = await at.tenant().create(nested);
    await at.on.changeByHand(id, {
      configs: { region: "eu", database: { host: "db", password: "s3cret-one", port: 5433 } },
    });
    const read = await at.tenant().read(id, state);
    expect(read?.inputs.configs).toMatchObject({ database: { port: "(not shown, as it may be a secret)" } });
    expect(await at.tenant().check(read?.inputs ?? {}, read?.inputs)).toEqual([]);
  });

  test.each(["merge-patch", "replace"] as const)(
    "is not shown after its reference was removed in an up that failed once the platform had taken it (%s)",
    async (configs) => {
      await using at = await scene({ configs, patchAnswer: "nothing" });
      const { id, state } = await at.tenant().create({ ...nested, metadata: { key: "plain" } });
      at.on.emulator.fault({ kind: "status", status: 422, match: { path: "/metadata$", method: "PATCH" }, times: 9 });
      const now = { ...nested, configs: { region: "eu", database: { host: "db" } }, metadata: { key: "other" } };
      const failure = await failureOf(at.tenant().update(id, state, now));
      if (!(failure instanceof IncompleteError)) throw failure;
      const kept = tenantStateSchema.parse(failure.state);
      expectNoValue(at.on, kept, failure.message);
      at.on.emulator.clearFaults();
      expectNoValue(at.on, await at.tenant().read(id, kept));
      await at.tenant().update(id, kept, now);
      expect((await at.on.tenant(id)).configs).toEqual(now.configs);
    },
  );

  test("is not shown after an up failed that put a text in place of one of two references", async () => {
    await using at = await scene({ patchAnswer: "nothing" });
    const logins = (user: JsonValue): TenantInputs["configs"] => {
      const password = { ref: "test:other", version: 1 };
      return { database: { user, password }, list: [user, password] };
    };
    const before = { ...base, configs: logins(ref()), metadata: { key: "plain" } };
    const { id, state } = await at.tenant().create(before);
    at.on.emulator.fault({ kind: "status", status: 422, match: { path: "/metadata$", method: "PATCH" }, times: 9 });
    const now = { ...base, configs: logins("app"), metadata: { key: "other" } };
    const failure = await failureOf(at.tenant().update(id, state, now));
    if (!(failure instanceof IncompleteError)) throw failure;
    expectNoValue(at.on, failure.state, failure.message);
    at.on.emulator.clearFaults();
    await at.tenant().update(id, tenantStateSchema.parse(failure.state), now);
    expect((await at.on.tenant(id)).configs).toMatchObject({ database: { user: "app", password: "0ther-value" } });
  });

  test("is not shown after its reference was removed in an up that failed", async () => {
    await using at = await scene();
    const { id, state } = await at.tenant().create(nested);
    at.state.isDown = true;
    const renamed = { ...nested, configs: { region: "eu", database: { host: "db", pwd: ref(2) } } };
    const failure = await failureOf(at.tenant().update(id, state, renamed));
    if (!(failure instanceof IncompleteError)) throw failure;
    at.state.isDown = false;
    const kept = tenantStateSchema.parse(failure.state);
    const read = await at.tenant().read(id, kept);
    expectNoValue(at.on, kept, read, failure.message);
  });

  test("may be any text next to a reference that cannot be resolved", async () => {
    await using at = await scene();
    const listed: TenantInputs = { ...base, configs: { region: "eu", list: [ref(), "x"] } };
    const { id, state } = await at.tenant().create(listed);
    await at.on.changeByHand(id, { configs: { region: "eu", list: ["x", "s3cret-one"] } });
    at.state.isDown = true;
    expectNoValue(at.on, await at.tenant().read(id, state));
  });
});
