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
    expect(updated.unreadablePaths).toBeUndefined();
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

  test("loses it without null if the schema refuses null, or a warning says that it may not have", async () => {
    await using on = await openStage(name, way, { type: "string" });
    const { id, state } = await brought(on, declaring(name, { token: secret }));
    await operation(on).tenant.update(id, state, declaring(name, {}));
    const live = (await on.tenant(id))[name];
    if (way === "merge-patch") {
      expect({ live, warnings: on.warnings }).toEqual({ live: {}, warnings: [] });
    } else {
      expect(live).toEqual(way === "replace" ? {} : { token: secret });
      expect(on.warnings).toEqual([
        `tenant "acme" (id ${id}): ${name}.token is no longer declared, and the PATCH left it out. The platform may still ` +
          "have it: it refuses null for it, and hides it in reads. Check it in the console",
      ]);
    }
  });
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

/** A platform with a secret `token`, `pin` and `login.password` in configs and metadata. */
function openStage(name: Name, way: Way, type: JsonObject = {}): Promise<Stage> {
  const hidden = { ...type, format: "password" };
  const properties = { token: hidden, pin: hidden, login: { type: "object", properties: { password: hidden } } };
  const schema = { type: "object", properties };
  const releases = [{ id: 2, name: "v1", config_schema: schema, metadata_schema: schema }];
  const variants: Partial<Variants> = { maskedConfigs: "left-out", [name]: way };
  const seed: EmulatorOptions["seed"] = {
    integrations: [{ id: 1, name: "vault", default_release_id: 2, releases }],
  };
  return stage({ seed, variants });
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
