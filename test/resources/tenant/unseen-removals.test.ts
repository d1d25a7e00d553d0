import { describe, expect, test } from "vitest";
import type { EmulatorOptions, Variants } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/json/json-value.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { type TenantInputs, type TenantState, tenantStateSchema } from "../../../src/resources/tenant/schema.ts";
import { brought, failureOf, type Stage, stage } from "../stage.ts";

// A platform that leaves secrets out of reads: a removed one cannot be seen before the write that removes it, nor after it.

const ways = ["replace", "merge", "merge-patch"] as const;
const objects = ["configs", "metadata"] as const;
type Name = (typeof objects)[number];
type Way = (typeof ways)[number];
const combinations = objects.flatMap((name) => ways.map((way) => [name, way] as const));

const secret = "s3cret-token";
const login = { user: "ada", password: secret };

describe.concurrent.each(combinations)("%s, which a PATCH takes by %s", (name, way) => {
  const isShallow = way === "merge";
  /** Such a platform can remove no key. It has null instead, which is an error, as for keys that are not secret. */
  const left = isShallow ? { token: null } : {};
  /** Removes the token, on such a platform too. */
  const removeToken = async (on: Stage, id: string, state: TenantState, now: TenantInputs) => {
    const update = operation(on).tenant.update(id, state, now);
    if (!isShallow) return await update;
    const failure = await failureOf(update);
    expect(failure.message).toMatch(new RegExp(`no way to remove.*${name}.token`));
    return stateOf(failure);
  };

  test("loses a secret that is no longer declared", async () => {
    await using on = await openStage(name, way);
    const { id, state } = await brought(on, declaring(name, { region: "eu", token: secret }));
    const updated = await removeToken(on, id, state, declaring(name, { region: "eu" }));
    expect((await on.tenant(id))[name]).toEqual({ region: "eu", ...left });
    if (!isShallow) expect(updated.unreadablePaths).toBeUndefined();
    expect(JSON.stringify(updated)).not.toContain(secret);
    expect(on.warnings).toEqual([]);
  });

  test("loses it although nothing of the object is declared any more", async () => {
    await using on = await openStage(name, way);
    const { id, state } = await brought(on, declaring(name, { token: secret }));
    await removeToken(on, id, state, declaring(name, undefined));
    expect((await on.tenant(id))[name]).toEqual(left);
  });

  test("loses a secret inside a key that is still declared", async () => {
    await using on = await openStage(name, way);
    const { id, state } = await brought(on, declaring(name, { login }));
    const updated = await operation(on).tenant.update(id, state, declaring(name, { login: { user: "ada" } }));
    expect((await on.tenant(id))[name]).toEqual({ login: { user: "ada" } });
    expect(updated[name]).toEqual({ login: { user: "ada" } });
  });

  test("keeps what others have", async () => {
    await using on = await openStage(name, way);
    const { id, state } = await brought(on, declaring(name, { token: secret }));
    await on.changeByHand(id, { [name]: { theirs: [null], token: secret } });
    await removeToken(on, id, state, declaring(name, {}));
    expect((await on.tenant(id))[name]).toEqual({ theirs: [null], ...left });
  });

  test.each(["cut-before", "cut-after"] as const)("loses it although an answer is lost (%s)", async (kind) => {
    for (const skip of [0, 1]) {
      await using on = await openStage(name, way);
      const { id, state } = await brought(on, declaring(name, { token: secret }));
      on.emulator.fault({ kind, match: { method: "PATCH" }, skip, times: 1 });
      await removeToken(on, id, state, declaring(name, {}));
      expect((await on.tenant(id))[name]).toEqual(left);
    }
  });

  test("loses it in the next operation if its write fails, even after a refresh", async () => {
    await using on = await openStage(name, way);
    const { id, state } = await brought(on, declaring(name, { region: "eu", token: secret, login }));
    const now = declaring(name, { region: "eu", login: { user: "ada" } });
    on.emulator.fault({ kind: "status", status: 403, match: { method: "PATCH" } });
    const failed = stateOf(await failureOf(operation(on).tenant.update(id, state, now)));
    on.emulator.clearFaults();
    const read = await operation(on).tenant.read(id, failed);
    expect(read?.state).toEqual(failed);
    expect(JSON.stringify(read)).not.toContain(secret);
    expect(await operation(on).tenant.diff(id, failed, now)).toEqual({ isChanged: true });

    const updated = await removeToken(on, id, failed, now);
    expect((await on.tenant(id))[name]).toEqual({ region: "eu", login: { user: "ada" }, ...left });
    if (isShallow) return;
    expect(await operation(on).tenant.diff(id, updated, now)).toEqual({ isChanged: false });
    expect(await operation(on).tenant.read(id, updated)).toEqual({ inputs: now, state: updated });
  });

  test("has the secret again if it is declared again after its removal failed", async () => {
    await using on = await openStage(name, way);
    const { id, state } = await brought(on, declaring(name, { token: secret }));
    on.emulator.fault({ kind: "status", status: 403, match: { method: "PATCH" } });
    const failed = stateOf(await failureOf(operation(on).tenant.update(id, state, declaring(name, {}))));
    on.emulator.clearFaults();
    await operation(on).tenant.update(id, failed, declaring(name, { token: "another" }));
    expect((await on.tenant(id))[name]).toEqual({ token: "another" });
  });

  test("loses it in the next operation if only the write with null succeeds", async () => {
    await using on = await openStage(name, way);
    const { id, state } = await brought(on, declaring(name, { token: secret }));
    on.emulator.fault({ kind: "status", status: 403, match: { method: "PATCH" }, skip: 1 });
    const failed = stateOf(await failureOf(operation(on).tenant.update(id, state, declaring(name, {}))));
    on.emulator.clearFaults();
    await removeToken(on, id, failed, declaring(name, {}));
    expect((await on.tenant(id))[name]).toEqual(left);
  });

  test("loses it without null if the schema refuses null, or a warning says that it may not have", async () => {
    await using on = await openStage(name, way, { token: { ...hidden, type: "string" } });
    const { id, state } = await brought(on, declaring(name, { token: secret }));
    await operation(on).tenant.update(id, state, declaring(name, {}));
    const live = (await on.tenant(id))[name];
    if (way === "merge-patch") {
      expect({ live, warnings: on.warnings }).toEqual({ live: {}, warnings: [] });
    } else {
      expect(live).toEqual(way === "replace" ? {} : { token: secret });
      expect(on.warnings).toEqual([
        `tenant "acme" (id ${id}): the removal of ${name}.token cannot be verified: the platform hides such values in reads, ` +
          "and refuses null in their place. Check in the console that they are gone",
      ]);
    }
  });

  test("gets null for the secret alone, and then an object without it", async () => {
    await using on = await openStage(name, way);
    const before = { region: "eu", old: 1, token: secret, login };
    const { id, state } = await brought(on, declaring(name, before));
    await on.changeByHand(id, { [name]: { ...before, login: { ...login, role: "admin" } } });
    await operation(on)
      .tenant.update(id, state, declaring(name, { region: "us", login: { user: "ada" } }))
      .catch(() => undefined);
    const sent = { region: "us", login: { user: "ada" } };
    const bodies = on.writes().map(({ body }) => (name === "configs" ? Object(body).configs : body));
    expect(bodies.slice(0, 2)).toEqual([{ ...sent, token: null, login: { user: "ada", password: null } }, sent]);
  });

  test("loses a part of an object that is hidden as a whole", async () => {
    await using on = await openStage(name, way, { login: { type: "object", writeOnly: true } });
    const { id, state } = await brought(on, declaring(name, { login }));
    const updated = await operation(on).tenant.update(id, state, declaring(name, { login: { user: "ada" } }));
    expect((await on.tenant(id))[name]).toEqual({ login: { user: "ada" } });
    expect(updated[name]).toEqual({ login: { user: "ada" } });
  });

  test("loses a secret in a list, also in the next operation if its write fails", async () => {
    await using on = await openStage(name, way, {
      users: { type: "array", items: { properties: { password: hidden } } },
    });
    const { id, state } = await brought(on, declaring(name, { users: [{ user: "bob" }, login] }));
    const now = declaring(name, { users: [{ user: "bob" }, { user: "ada" }] });
    on.emulator.fault({ kind: "status", status: 403, match: { method: "PATCH" } });
    const failed = stateOf(await failureOf(operation(on).tenant.update(id, state, now)));
    on.emulator.clearFaults();
    expect(await operation(on).tenant.diff(id, failed, now)).toEqual({ isChanged: true });
    await operation(on).tenant.update(id, failed, now);
    expect((await on.tenant(id))[name]).toEqual({ users: [{ user: "bob" }, { user: "ada" }] });
    expect(on.writes().filter(({ request }) => request.startsWith("PATCH /v2"))).toHaveLength(2);
  });

  test("loses a key whose visible rest is the schema's default", async () => {
    const property = { type: "object", default: { user: "ada" }, properties: { password: hidden } };
    await using on = await openStage(name, way, { login: property });
    const { id, state } = await brought(on, declaring(name, { login }));
    await operation(on).tenant.update(id, state, declaring(name, {}));
    // the platform refuses null for an object, and one that merges cannot remove the key otherwise
    if (isShallow)
      expect(on.warnings).toEqual([expect.stringContaining(`removal of ${name}.login cannot be verified`)]);
    else expect(JSON.stringify(await on.tenant(id))).not.toContain(secret);
  });
});

describe("a platform that masks secrets", () => {
  test("loses a part of an object that it masks as a whole", async () => {
    await using on = await openStage("configs", "merge-patch", { login: { type: "object", writeOnly: true } }, "yes");
    const { id, state } = await brought(on, declaring("configs", { login }));
    await on.operation().tenant.update(id, state, declaring("configs", { login: { user: "ada" } }));
    expect((await on.tenant(id)).configs).toEqual({ login: { user: "ada" } });
  });
});

describe("without the setting that says that all secrets are declared", () => {
  test("the only secret of a schema can be removed", async () => {
    await using on = await openStage("configs", "merge-patch", { token: hidden });
    const { id, state } = await brought(on, declaring("configs", { token: secret }));
    await on.operation().tenant.update(id, state, declaring("configs", {}));
    expect((await on.tenant(id)).configs).toEqual({});
  });

  test("one of several secrets cannot be removed, as the write could destroy the others", async () => {
    await using on = await openStage("configs", "merge-patch", { token: hidden, pin: hidden });
    const { id, state } = await brought(on, declaring("configs", { token: secret }));
    const failure = await failureOf(on.operation().tenant.update(id, state, declaring("configs", {})));
    expect(failure.message).toMatch(/may have configs\.pin.*INTEGRATION_PLATFORM_ALL_SECRETS_DECLARED=1/);
    expect(stateOf(failure).configs).toHaveProperty("token");
    expect((await on.tenant(id)).configs).toEqual({ token: secret });
  });
});

test("a secret that another TenantMetadata declares now stays", async () => {
  await using on = await openStage("metadata", "replace");
  const tenantId = await on.add({ integration: "vault", name: "acme" });
  const here = operation(on).metadata;
  const a = await here.create({ tenantId, data: { token: secret, plan: "gold" }, logicalName: "a" });
  const b = await here.create({ tenantId, data: { pin: secret }, logicalName: "b" });
  const { metadata } = operation(on);
  const nowB = { tenantId, data: { pin: secret, token: secret }, logicalName: "b" };
  const nowA = { tenantId, data: { plan: "gold" }, logicalName: "a" };
  await metadata.diff(a.id, a.state, nowA);
  await metadata.diff(b.id, b.state, nowB);
  await metadata.update(b.id, b.state, nowB);
  await metadata.update(a.id, a.state, nowA);
  expect((await on.tenant(tenantId)).metadata).toMatchObject({ token: secret, plan: "gold" });
});

test("TenantMetadata loses a secret that is no longer declared, and its last one when it is deleted", async () => {
  await using on = await openStage("metadata", "merge-patch");
  const tenantId = await on.add({ integration: "vault", name: "acme" });
  const first = { tenantId, data: { plan: "gold", token: secret, pin: secret } };
  const { id, state } = await operation(on).metadata.create(first);
  expect((await on.tenant(tenantId)).metadata).toEqual(first.data);
  const updated = await operation(on).metadata.update(id, state, { tenantId, data: { plan: "gold", pin: secret } });
  expect((await on.tenant(tenantId)).metadata).toEqual({ plan: "gold", pin: secret });
  await operation(on).metadata.delete(id, updated);
  expect((await on.tenant(tenantId)).metadata).toEqual({});
});

test("a fleet's tenant loses a secret that is no longer declared", async () => {
  await using on = await openStage("configs", "merge-patch");
  const inputs = (configs: JsonObject) => ({ name: "fleet", integration: "vault", tenants: { acme: { configs } } });
  const { id, state } = await operation(on).fleet.create(inputs({ region: "eu", token: secret }));
  await operation(on).fleet.update(id, state, inputs({ region: "eu" }));
  const [acme] = await on.live();
  expect((await on.tenant(acme?.id ?? 0)).configs).toEqual({ region: "eu" });
});

const hidden = { format: "password" };

/**
 * A platform with secrets in configs and metadata.
 *
 * @param properties of their schema. Default: the secrets `token`, `pin` and `login.password`.
 */
function openStage(
  name: Name,
  way: Way,
  properties: JsonObject = {
    token: hidden,
    pin: hidden,
    login: { type: "object", properties: { password: hidden } },
  },
  maskedConfigs: Variants["maskedConfigs"] = "left-out",
): Promise<Stage> {
  const schema = { type: "object", properties };
  const releases = [{ id: 2, name: "v1", config_schema: schema, metadata_schema: schema }];
  const seed: EmulatorOptions["seed"] = {
    integrations: [{ id: 1, name: "vault", default_release_id: 2, releases }],
  };
  return stage({ seed, variants: { maskedConfigs, [name]: way } });
}

/** The state that a failed update has left. */
function stateOf(failure: Error): TenantState {
  if (!(failure instanceof IncompleteError)) throw failure;
  return tenantStateSchema.parse(failure.state);
}

/** An operation that may change a tenant although reads leave out secrets that it does not declare: it has no others. */
function operation(on: Stage) {
  return on.operation({ areAllSecretsDeclared: true });
}

function declaring(name: Name, value: JsonObject | undefined): TenantInputs {
  return { integration: "vault", name: "acme", ...(value !== undefined && { [name]: value }) };
}
