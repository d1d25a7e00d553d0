import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import { call } from "../../emulator/running-emulator.ts";
import { failureOf } from "../../failure-of.ts";
import { type Stage, stage } from "../stage.ts";

// A dynamic choice cannot be set before an init sync has found the tenant's options: until then its config waits.

const release = JSON.parse(readFileSync("test/fixtures/releases/wrapped.json", "utf8"));

const ledger = (variants: Partial<Variants> = {}) =>
  stage({
    variants,
    seed: {
      integrations: [
        {
          ...{ id: 1, name: "ledger", connectors: [{ name: "books", isGlobal: false }], default_release_id: 11 },
          releases: [{ ...release, id: 11, tag: "v1" }],
        },
      ],
    },
  });

const acme = { integration: "ledger", name: "acme", configs: { batch_size: 20, account: "main" } };
const written = { batch_size: 20, log_level: "INFO" };
const waiting = (reason: RegExp) => [
  { path: ["configs", "account"], reason: expect.stringMatching(reason), until: "options" },
];

async function connect(on: Stage, id: string | number) {
  await call(on.emulator, "POST", `/_emulator/tenants/${id}/connectors/books`, { status: "connected" });
}

/** What an init sync of the tenant's customer finds. */
async function findOptions(on: Stage, id: string | number, accounts: readonly string[] = ["main", "reserve"]) {
  await on.changeByHand(id, { status: { dynamic_configs: { accounts } } });
}

describe("a tenant", () => {
  test("is created without the choice, which is set once there are options", async () => {
    await using on = await ledger();
    const { id, state } = await on.operation().tenant.create(acme);
    expect(on.writes()).toEqual([
      { request: "POST /v2/tenants", body: { integration_id: 1, name: "acme", configs: { batch_size: 20 } } },
    ]);
    expect((await on.tenant(id)).configs).toEqual(written);
    expect(state).toMatchObject({ configs: acme.configs, waitingFor: waiting(/no options for accounts .* "books"/) });
    expect(on.notes).toEqual([expect.stringMatching(/configs\.account waits, .*sync --mode init/)]);

    on.emulator.clearRequests();
    expect(await on.operation().tenant.diff(id, state, acme)).toEqual({ isChanged: false });
    expect(await on.operation().tenant.read(id, state)).toEqual({ inputs: acme, state });
    expect(on.writes()).toEqual([]);

    await connect(on, id);
    expect(await on.operation().tenant.diff(id, state, acme)).toEqual({ isChanged: false });
    await findOptions(on, id);
    expect(await on.operation().tenant.diff(id, state, acme)).toEqual({ isChanged: false, isUnfinished: true });
    const chosen = await on.operation().tenant.update(id, state, acme);
    expect((await on.tenant(id)).configs).toEqual({ ...written, account: "main" });
    expect(chosen).toMatchObject({ configs: acme.configs });
    expect(chosen).not.toHaveProperty("waitingFor");

    on.emulator.clearRequests();
    expect(await on.operation().tenant.diff(id, chosen, acme)).toEqual({ isChanged: false });
    expect(await on.operation().tenant.read(id, chosen)).toEqual({ inputs: acme, state: chosen });
    expect(on.writes()).toEqual([]);
  });

  test("leaves it out of a change of another config, and of the choice itself", async () => {
    await using on = await ledger();
    const { id, state } = await on.operation().tenant.create(acme);
    on.emulator.clearRequests();
    const changed = { ...acme, configs: { batch_size: 30, account: "reserve" } };
    const updated = await on.operation().tenant.update(id, state, changed);
    expect(on.writes()).toEqual([
      { request: `PATCH /v2/tenants/${id}`, body: { configs: { batch_size: 30, log_level: "INFO" } } },
    ]);
    expect(updated).toMatchObject({ configs: changed.configs, waitingFor: waiting(/accounts/) });
  });

  test("that no longer declares the choice waits for nothing", async () => {
    await using on = await ledger();
    const { id, state } = await on.operation().tenant.create(acme);
    const without = { ...acme, configs: { batch_size: 20 } };
    const updated = await on.operation().tenant.update(id, state, without);
    expect(updated).not.toHaveProperty("waitingFor");
    expect((await on.tenant(id)).configs).toEqual(written);
  });

  test("that shows the declared value does not wait, although it has no options", async () => {
    await using on = await ledger();
    const { id } = await on.operation().tenant.create({ ...acme, schemaViolations: "off" }); // its state is lost
    on.emulator.clearRequests();
    const { state } = await on.operation().tenant.create(acme);
    expect(state).toMatchObject({ tenantId: Number(id), configs: acme.configs });
    expect(state).not.toHaveProperty("waitingFor");
    expect(on.writes()).toEqual([]);
  });

  test("keeps an older choice while it has no options", async () => {
    await using on = await ledger();
    const id = await on.add({ ...acme, configs: { ...written, account: "old" } });
    const { state } = await on
      .operation()
      .tenant.create({ ...acme, adopt: true, configs: { ...acme.configs, batch_size: 30 } });
    expect(state).toMatchObject({ waitingFor: waiting(/accounts/) });
    expect((await on.tenant(id)).configs).toEqual({ ...written, batch_size: 30, account: "old" });
  });

  test("shows a choice that somebody has removed as a difference, and then waits if it has no options", async () => {
    await using on = await ledger();
    const made = await on.operation().tenant.create(acme);
    await findOptions(on, made.id);
    const state = await on.operation().tenant.update(made.id, made.state, acme);
    await on.changeByHand(made.id, { configs: written, status: { dynamic_configs: {} } });
    const seen = await on.operation().tenant.read(made.id, state);
    expect(seen?.inputs.configs).toEqual({ batch_size: 20 });
    if (seen === undefined) throw new Error("the tenant is gone");
    const waits = await on.operation().tenant.update(made.id, seen.state, acme);
    expect(waits).toMatchObject({ waitingFor: waiting(/accounts/) });
  });

  test("waits for a list of choices and for one in an object, as whole keys", async () => {
    const properties = {
      lists: { type: "array", items: { $ref: "#/definitions/accounts" } },
      deep: { properties: { account: { $ref: "#/definitions/accounts" }, note: { type: "string" } } },
    };
    const schema = { properties, definitions: { accounts: { enum: ["placeholder"] } } };
    await using on = await stage({
      seed: {
        integrations: [
          {
            id: 1,
            name: "ledger",
            default_release_id: 11,
            releases: [{ id: 11, tag: "v1", name: "v1", config_schema: schema }],
          },
        ],
      },
    });
    const inputs = { ...acme, configs: { lists: ["main"], deep: { account: "main", note: "n" }, other: 1 } };
    const { id, state } = await on.operation().tenant.create(inputs);
    expect((await on.tenant(id)).configs).toEqual({ other: 1 });
    expect(state.waitingFor?.map(({ path }) => path)).toEqual([
      ["configs", "lists"],
      ["configs", "deep"],
    ]);
    await findOptions(on, id);
    expect(await on.operation().tenant.update(id, state, inputs)).not.toHaveProperty("waitingFor");
    expect((await on.tenant(id)).configs).toEqual(inputs.configs);
  });

  test("waits for nothing with schemaViolations: off", async () => {
    await using on = await ledger();
    const inputs = { ...acme, schemaViolations: "off" } as const;
    const { id, state } = await on.operation().tenant.create(inputs);
    expect((await on.tenant(id)).configs).toEqual({ ...written, account: "main" });
    expect(state).not.toHaveProperty("waitingFor");
  });

  test("is paused still while it waits for its connection and for its options", async () => {
    await using on = await ledger({ pausedUnconnected: "refused" });
    const inputs = { ...acme, paused: false };
    const { id, state } = await on.operation().tenant.create(inputs);
    expect(state.waitingFor?.map(({ until }) => until)).toEqual(["connected", "options"]);
    await connect(on, id);
    expect(await on.operation().tenant.diff(id, state, inputs)).toEqual({ isChanged: false, isUnfinished: true });
    const resumed = await on.operation().tenant.update(id, state, inputs);
    expect(resumed.waitingFor?.map(({ until }) => until)).toEqual(["options"]);
    expect(await on.tenant(id)).toMatchObject({ paused: false, configs: written });
    expect(await on.operation().tenant.diff(id, resumed, inputs)).toEqual({ isChanged: false });
  });
});

describe("a platform that refuses a tenant without the choice", () => {
  const refusal = { detail: [{ loc: ["body", "configs", "account"], msg: "is required", type: "missing" }] };
  const post = { method: "POST", path: "^/v2/tenants$" } as const;

  test("gets it with the choice", async () => {
    await using on = await ledger();
    on.emulator.fault({ kind: "status", status: 422, body: refusal, times: 1, match: post });
    const { id, state } = await on.operation().tenant.create(acme);
    expect((await on.tenant(id)).configs).toEqual({ ...written, account: "main" });
    expect(state).not.toHaveProperty("waitingFor");
  });

  test("and with it cannot have the tenant before the console has made it: the message says so", async () => {
    await using on = await ledger({ placeholders: "refuse" });
    const failure = await failureOf(on.operation().tenant.create(acme));
    expect(failure.message).toMatch(
      /refuses configs\.account and a tenant without it: .*accounts.*console.*adopt: true/,
    );
    expect(await on.live()).toEqual([]);
  });
});

test("a fleet's tenants wait in the same way, and only those that have options are changed", async () => {
  await using on = await ledger();
  const configs = { account: "main" };
  const fleet = { integration: "ledger", name: "all", tenants: { one: { configs }, two: { configs } } };
  const { id, state } = await on.operation().fleet.create(fleet);
  expect(state.tenants).toMatchObject({ one: { configs, waitingFor: waiting(/accounts/) }, two: { configs } });
  expect(on.notes).toContainEqual(
    expect.stringMatching(/fleet "all": configs\.account of 2 tenants waits, .*--mode init/),
  );

  on.emulator.clearRequests();
  expect(await on.operation().fleet.diff(id, state, fleet)).toEqual({ isChanged: false });
  expect(await on.operation().fleet.read(id, state)).toMatchObject({ inputs: fleet, state });
  await findOptions(on, state.tenants.one?.tenantId ?? 0);
  expect(await on.operation().fleet.diff(id, state, fleet)).not.toEqual({ isChanged: false });
  const next = await on.operation().fleet.update(id, state, fleet);
  expect(on.writes().filter(({ request }) => request.includes("/v2/"))).toEqual([
    {
      request: `PATCH /v2/tenants/${state.tenants.one?.tenantId}`,
      body: { configs: { log_level: "INFO", ...configs } },
    },
  ]);
  expect(next.tenants.one).not.toHaveProperty("waitingFor");
  expect(next.tenants.two).toMatchObject({ waitingFor: waiting(/accounts/) });
});
