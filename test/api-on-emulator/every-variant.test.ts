import { describe, expect, test } from "vitest";
import { NotFoundError, type Tenant, ValidationError } from "../../src/api/index.ts";
import { variantValues } from "../../src/emulator/index.ts";
import { call } from "../emulator/running-emulator.ts";
import { failureOf } from "../failure-of.ts";
import { type ClientOnEmulator, install, startClient } from "./start-client.ts";

// The client has to get along with every answer that the specification leaves open.

const everyVariant = Object.entries(variantValues).flatMap(([name, values]) =>
  values.map((value) => ({ name, value, variants: JSON.parse(JSON.stringify({ [name]: value })) })),
);

describe.each(everyVariant)("with the variant $name=$value", ({ name, value, variants }) => {
  const is = (otherName: string, otherValue: string) => name === otherName && value === otherValue;

  test("the client creates, changes and archives a tenant", async () => {
    const on = await startClient({ variants });
    const { client } = on;
    const created = await client.tenants.create({ name: "acme", integration_id: 101, configs: { region: "eu" } });
    await becomesVisible(on);
    const seen = await read(on, created.id);
    expect(seen).toMatchObject({ name: "acme", paused: true });
    expect(seen?.user_schedule || null).toBeNull();

    const path = `/_emulator/tenants/${created.id}`; // some platforms do not resume a tenant that is not connected
    await call(on.emulator, "PATCH", path, { status: { auth: { connected: true, connectors: [] } } });

    const updated = await client.tenants.update(created.id, { paused: false, configs: { region: "us" } });
    expect(updated?.paused).toBe(is("patchAnswer", "nothing") || is("patchAnswer", "empty") ? undefined : false);
    await becomesVisible(on);
    expect(await read(on, created.id)).toMatchObject({ paused: false, configs: { region: "us" } });
    expect((await client.tenants.getRelease(created.id))?.tag).toBe("v1.0.0");

    const first = client.metadata.get(created.id);
    if (is("metadataWhenNone", "missing")) expect(await failureOf(first)).toBeInstanceOf(NotFoundError);
    else expect((await first).data).toEqual({});
    expect((await client.metadata.update(created.id, { plan: "gold" })).data).toEqual({ plan: "gold" });

    await client.tenants.archive(created.id);
    await becomesVisible(on);
    expect(await read(on, created.id)).toBeUndefined();
  });

  test("the client builds a release", async () => {
    const { client, emulator } = await startClient({ variants });
    const requested = await client.builds.create({ tag: "v9", integration_id: 101 });
    expect(requested).toEqual(is("buildAnswer", "nothing") ? {} : expect.objectContaining({ tag: "v9" }));
    await emulator.advance({ seconds: 60 });
    const latest = await client.releases.getLatest(101);
    expect(latest.tag).toBe(is("builds", "never") ? "v1.1.0" : "v9");
  });

  test("the client syncs a tenant by both endpoints and reads the log", async () => {
    const on = await startClient({ variants });
    const { client, emulator } = on;
    const id = await install(on);
    const byId = await client.tenants.sync(id, { mode: "init", body: { since: "yesterday" } });
    const byUser = await client.integrations.sync(101, { mode: "normal", userName: "user-1" });
    expect(await failureOf(client.runs.getTriggerStatus(byId.trigger_id))).toBeInstanceOf(NotFoundError);
    await emulator.advance({ seconds: 10 });
    const word = (await client.runs.getTriggerStatus(byId.trigger_id)).status;
    expect(await client.runs.getTriggerStatus(byUser.trigger_id)).toEqual({ status: word });
    expect(["succeeded", "Succeeded", "success", "Done", "Processed"]).toContain(word);

    if (is("absentField", "status")) return; // without a status the run's id is unknown
    const runId = Number((await read(on, id))?.status?.last_run.id);
    expect(await client.runs.getLog(runId)).toContain("mode init");
    expect((await read(on, id))?.status?.dynamic_configs).toEqual({ billing_plans: ["basic", "business"] });
  });

  test("the client rejects syncs that the platform refuses", async () => {
    const on = await startClient({ variants });
    const unconnected = await on.client.tenants.create({ name: "acme", integration_id: 101 });
    await becomesVisible(on);
    const paused = await install(on, { paused: true });
    const sync = (id: number) => on.client.tenants.sync(id, { mode: "normal" });

    if (is("pausedSync", "refuse")) expect(await failureOf(sync(paused))).toBeInstanceOf(ValidationError);
    else expect(await sync(paused)).toHaveProperty("trigger_id");
    if (is("unconnectedSync", "missing")) expect(await failureOf(sync(unconnected.id))).toBeInstanceOf(NotFoundError);
    else if (is("unconnectedSync", "accept") || is("unconnectedSync", "fail-run")) await sync(unconnected.id);
    else expect(await failureOf(sync(unconnected.id))).toBeInstanceOf(ValidationError);
  });

  test("the client knows the platform's time, where responses have it", async () => {
    const { client, emulator } = await startClient({ variants });
    await emulator.advance({ seconds: 3600 });
    expect(client.clock()).toBeUndefined();
    await client.integrations.get(101);
    expect(client.clock()?.toISOString()).toBe(is("dateHeader", "absent") ? undefined : "2026-06-01T01:00:00.000Z");
  });

  test("the client disconnects a connector and calls through another", async () => {
    const on = await startClient({ variants });
    const id = await install(on);
    await on.client.connectors.disconnect(id, "billing");
    await becomesVisible(on);
    expect((await read(on, id))?.status?.auth).toEqual(authAfterDisconnecting(name, value));
    const { data } = await on.client.connectors.call(id, "crm", { method: "GET", target_url: "/contacts/1" });
    expect(data).toEqual({ id: 1, name: "Ada" });
  });
});

/** The expected auth status of a tenant whose connector crm is connected and whose connector billing is disconnected. */
function authAfterDisconnecting(name: string, value: string) {
  if (name === "absentField" && (value === "status" || value === "auth")) return undefined;
  const [connected, disconnected] =
    { capitalized: ["Connected", "Not-Connected"], linked: ["linked", "unlinked"], terse: ["OK", "NONE"] }[value] ?? [];
  const lastChange = name === "absentField" && value === "last_change" ? {} : { last_change: expect.any(String) };
  const isWords = name === "connectionWords";
  const connectors = [
    // crm has not changed since the install, so that the variant decides how its absent date is shown
    expect.objectContaining({ name: "crm", status: (isWords && connected) || "connected" }),
    { name: "billing", status: (isWords && disconnected) || "disconnected", ...lastChange },
  ];
  return {
    ...((name === "absentField" && value === "connected") || (name === "defaults" && value === "absent")
      ? {}
      : { connected: false }),
    connectors: name === "authConnectors" && value === "none" ? [] : connectors,
  };
}

async function becomesVisible({ emulator }: ClientOnEmulator): Promise<void> {
  await emulator.advance({ seconds: 0.3 });
}

async function read({ client }: ClientOnEmulator, id: number): Promise<Tenant | undefined> {
  for await (const tenant of client.tenants.list({ integrationId: 101 })) if (tenant.id === id) return tenant;
  return undefined;
}
