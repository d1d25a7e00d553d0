import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/json/json-value.ts";
import { type TenantState, tenantStateSchema } from "../../../src/resources/tenant/schema.ts";
import { type Hiding, stageHiding } from "../hiding-stage.ts";
import { failureOf, type Stage, stageShowing } from "../stage.ts";

// Secrets of which no read tells whether a write has arrived, because the update or create failed, or as platforms mix displays.

const password = { type: ["string", "null"], format: "password" };
const box = { type: ["object", "null"], writeOnly: true };
const acme = { integration: "vault", name: "acme" };
const inEurope = { ...acme, configs: { region: "eu" } };

const seedOf = (more: JsonObject) => {
  const properties = { region: {}, token: password, ...more };
  const releases = [{ id: 2, name: "v1", config_schema: { properties }, metadata_schema: { properties } }];
  return { integrations: [{ id: 1, name: "vault", default_release_id: 2, releases }] };
};
const vault = (hiding: Hiding, variants: Partial<Variants> = {}, more: JsonObject = {}) =>
  stageHiding(hiding, seedOf(more), variants);

/** A platform whose answers are changed on their way. */
function vaultShowing(change: (body: string) => string, more: JsonObject, variants: Partial<Variants> = {}) {
  return stageShowing(change, { seed: seedOf(more), variants });
}

/** The state that a failed create or update leaves. */
async function failedStateOf(work: Promise<unknown>): Promise<{ id: string; state: TenantState }> {
  const failure = Object(await failureOf(work));
  return { id: failure.id, state: tenantStateSchema.parse(failure.state) };
}

const configsOf = async (on: Stage, id: string) => (await on.tenant(id)).configs;

describe.concurrent.each(["no", "yes", "left-out", "null", "other"] as const)(
  "where reads hide secrets: %s",
  (hiding) => {
    test("an old secret returns after a rotation whose answers are lost", async () => {
      await using on = await vault(hiding);
      const before = { ...acme, configs: { region: "eu", token: "old-t0ken" } };
      const after = { ...acme, configs: { region: "eu", token: "new-t0ken" } };
      const { id, state } = await on.operation().tenant.create(before);
      on.emulator.fault({ kind: "status", status: 500, applied: true, match: { method: "PATCH" }, times: 99 });
      // reads that show the new secret tell that it has arrived
      const stored = await on
        .operation()
        .tenant.update(id, state, after)
        .catch((error: unknown) => Object(error).state);
      on.emulator.clearFaults();
      expect(await configsOf(on, id)).toEqual(after.configs);
      await on.operation().tenant.update(id, tenantStateSchema.parse(stored), before);
      expect(await configsOf(on, id)).toEqual(before.configs);
    });

    const first = { ...acme, configs: { region: "eu", token: "t0ken-one" }, metadata: { region: "gold" } };
    const refusesMetadata = { kind: "status", status: 403, match: { method: "PATCH", path: "/metadata$" } } as const;

    test.each([false, true])(
      "a first secret is removed after an update that failed later (refresh: %s)",
      async (isRefreshed) => {
        await using on = await vault(hiding);
        const { id, state } = await on.operation().tenant.create(inEurope);
        on.emulator.fault(refusesMetadata);
        let failed = (await failedStateOf(on.operation().tenant.update(id, state, first))).state;
        on.emulator.clearFaults();
        expect(await configsOf(on, id)).toEqual(first.configs);
        if (isRefreshed) failed = (await on.operation().tenant.read(id, failed))?.state ?? failed;
        await on.operation().tenant.update(id, failed, inEurope);
        expect(await configsOf(on, id)).toEqual(inEurope.configs);
      },
    );

    test("a first secret is removed after a create that failed later", async () => {
      await using on = await vault(hiding);
      on.emulator.fault(refusesMetadata);
      const { id, state } = await failedStateOf(on.operation().tenant.create(first));
      on.emulator.clearFaults();
      await on.operation().tenant.update(id, state, inEurope);
      expect(await configsOf(on, id)).toEqual(inEurope.configs);
    });

    test("a first secret is written beside the removal of another key", async () => {
      await using on = await vault(hiding, { configs: "merge-patch" });
      const { id, state } = await on.operation().tenant.create(inEurope);
      const now = { ...acme, configs: { token: "t0ken-one" } };
      await on.operation().tenant.update(id, state, now);
      expect(await configsOf(on, id)).toEqual(now.configs);
    });

    test("a first secret is written into an object that loses another key", async () => {
      const db = { type: ["object", "null"], properties: { host: {}, port: {}, password } };
      await using on = await vault(hiding, { configs: "merge-patch" }, { db });
      const before = { ...acme, configs: { db: { host: "h", port: 1 } } };
      const { id, state } = await on.operation().tenant.create(before);
      const now = { ...acme, configs: { db: { host: "h", password: "s3cret-one" } } };
      await on.operation({ areAllSecretsDeclared: true }).tenant.update(id, state, now);
      expect(await configsOf(on, id)).toEqual(now.configs);
    });
  },
);

test.concurrent.each(["replace", "merge-patch"] as const)(
  "a write-only secret is removed that reads leave out while they mask another one (%s)",
  async (configs) => {
    const hide = (body: string) =>
      body.replaceAll(/"pin":"[^"]*",?/g, "").replaceAll(/"token":"[^"]*"/g, '"token":"***"');
    await using on = await vaultShowing(hide, { pin: { type: ["string", "null"], writeOnly: true } }, { configs });
    const before = { ...acme, configs: { pin: "1234-5678", region: "eu", token: "t0ken-one" } };
    const { id, state } = await on.operation().tenant.create(before);
    const now = { ...acme, configs: { region: "eu", token: "t0ken-one" } };
    await on.operation().tenant.update(id, state, now);
    expect(await configsOf(on, id)).toEqual(now.configs);
  },
);

test.concurrent.each([[{ token: "t0ken-one" }], [{}]])(
  "a secret object loses what others have put into it, beside %o, by null",
  async (others) => {
    await using on = await vault("no", { configs: "merge-patch" }, { box });
    const before = { ...acme, configs: { ...others, region: "eu" } };
    const { id, state } = await on.operation().tenant.create(before);
    await on.changeByHand(id, { configs: { ...before.configs, box: { user: "ada", legacy: "x" } } });
    const now = { ...acme, configs: { ...before.configs, box: { user: "ada" } } };
    await on.operation().tenant.update(id, state, now);
    expect(await configsOf(on, id)).toEqual(now.configs);
  },
);
