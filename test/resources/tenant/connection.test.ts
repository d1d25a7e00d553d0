import { describe, expect, test } from "vitest";
import type { EmulatorOptions } from "../../../src/emulator/index.ts";
import { createOperationContext } from "../../../src/operation/operation-context.ts";
import type { ConnectorWords } from "../../../src/operation/tenant-connection.ts";
import { tenantLifecycle } from "../../../src/resources/tenant/lifecycle.ts";
import { acme, failureOf, type Stage, stage } from "../stage.ts";

// A tenant that counts as connected is not archived. The tests read this from the emulator.

const ran = { last_run: { id: 7 } };
const changed = { last_change: "2026-01-01T00:00:00Z" };

/** A new operation with the user's status words. */
function lifecycle(on: Stage, words: Partial<ConnectorWords> = {}) {
  const { client } = on.operation().context;
  const connectorWords = { connectedStatuses: [], notConnectedStatuses: [], ...words };
  return tenantLifecycle(
    createOperationContext({ client, consistencyTimeoutSeconds: 0.3, warn: () => {}, connectorWords }),
  );
}

/** Removes a tenant with this status. */
async function removed(status: object | null, words: Partial<ConnectorWords> = {}, options: EmulatorOptions = {}) {
  await using on = await stage(options);
  const { id, state } = await lifecycle(on).create(acme);
  await on.changeByHand(id, { status });
  const failure = await lifecycle(on, words)
    .delete(id, state)
    .then(
      () => undefined,
      (error: unknown) => String(error),
    );
  expect((await on.tenant(id)).archived).toBe(failure === undefined);
  return failure ?? "archived";
}

const crm = (status: string, more: object = {}) => ({
  auth: { connected: false, connectors: [{ name: "crm", status, ...more }] },
});

describe.concurrent("counts as connected, and is not archived", () => {
  test.each<[string, object, RegExp]>([
    ["by the boolean", { auth: { connected: true, connectors: [] } }, /status\.auth\.connected/],
    ["by a word that means it", crm("Connected"), /connector "crm" has the status "Connected"\./],
    ["by an unknown word, once something has happened", crm("linked", changed), /"crm" has the status "linked"/],
    ["by an unknown word, once the tenant has run", { ...crm("linked"), ...ran }, /"crm" has the status "linked"/],
    ["where it has run, and auth is not told", { ...ran, auth: null }, /sends no status\.auth\. /],
    ["where it has run, and the boolean is not told", { ...ran, auth: {} }, /sends no status\.auth\.connected\. /],
    ["by one connector of two", { auth: twoOf("disconnected", "connected") }, /connector "billing"/],
  ])("%s", async (_, status, reason) => {
    expect(await removed(status)).toMatch(reason);
  });

  test("if the platform sends no status, because nothing then shows that the tenant never ran", async () => {
    expect(await removed(null)).toMatch(/sends no status\. .*forceArchive: true/);
  });

  test("by an unknown word if the boolean is missing", async () => {
    const { connectors } = crm("linked").auth;
    expect(await removed({ auth: { connectors } })).toMatch(/"linked"/);
  });

  test("by a word that the user declares, in any spelling and whatever else is known", async () => {
    const words = { connectedStatuses: ["not yet"], notConnectedStatuses: ["Not-Yet"] };
    expect(await removed(crm("NOT_YET"), words)).toMatch(/the status "NOT_YET"\./);
    expect(await removed(crm("pending"), { connectedStatuses: ["Pending"] })).toMatch(/the status "pending"\./);
  });

  test("the error says how to declare the word", async () => {
    expect(await removed(crm("linked", changed))).toMatch(
      /If "linked" means not connected.*add it to integration-platform:notConnectedStatuses/,
    );
  });
});

describe.concurrent("counts as not connected, and is archived", () => {
  test.each<[string, object]>([
    ["by words that mean it", { auth: twoOf("Disconnected", "not-connected") }],
    ["by an unknown word of an unchanged connector on a tenant that never ran", crm("unlinked")],
    ["the same where the platform says null", crm("unlinked", { last_change: null })],
    ["where nothing is listed", { auth: { connected: false, connectors: [] } }],
    ["where it has run, and each connector says so", { ...crm("disconnected", changed), ...ran }],
    ["where it never ran, and auth is not told", { auth: null }],
    ["where it never ran, and the boolean is not told", { auth: { connectors: [{ name: "crm", status: "none" }] } }],
    [
      "where only a global connector has another word",
      { auth: { connected: false, connectors: [{ name: "exchange-rates", status: "linked", ...changed }] } },
    ],
  ])("%s", async (_, status) => {
    expect(await removed(status)).toBe("archived");
  });

  test("by a word that the user declares, in any spelling", async () => {
    expect(await removed(crm("UN_LINKED", changed), { notConnectedStatuses: ["un linked"] })).toBe("archived");
  });
});

test("a word in the response to a POST means nothing for other tenants of the operation", async () => {
  await using on = await stage({ variants: { connectionWords: "linked" } });
  const tenant = lifecycle(on);
  const made = await tenant.create(acme);
  await tenant.create({ ...acme, name: "bluebird" });
  await on.changeByHand(made.id, { status: { ...crm("unlinked", changed), ...ran } });
  await expect(tenant.delete(made.id, made.state)).rejects.toThrow(/has the status "unlinked"/);
  expect(await on.tenant(made.id)).toMatchObject({ archived: false });
});

describe("a POST whose response is lost", () => {
  test.each([
    [{ connectionWords: "linked" }],
    [{ connectionWords: "terse" }],
    [{ absentField: "auth" }],
    [{ absentField: "connected" }],
    [{ absentField: "last_change", connectionWords: "linked" }],
    [{ authConnectors: "none" }],
    [{ defaults: "absent" }],
  ] as const)("is found again where %j", async (variants) => {
    await using on = await stage({ variants });
    on.emulator.fault({ kind: "cut-after", match: { method: "POST", path: "^/v2/tenants$" } });
    const { id } = await lifecycle(on).create({ ...acme, configs: { region: "eu" } });
    expect(await on.live()).toMatchObject([{ id: Number(id) }]);
  });

  test("is not assumed to be ours if the platform sends no status, and the error says what to do", async () => {
    await using on = await stage({ variants: { absentField: "status" } });
    on.emulator.fault({ kind: "cut-after", match: { method: "POST", path: "^/v2/tenants$" } });
    const { message } = await failureOf(lifecycle(on).create(acme));
    expect(message).toMatch(/sends no status[.;] .*set adopt: true or adopt: \d+/);
    expect(await on.live()).toHaveLength(1);
  });
});

function twoOf(first: string, second: string) {
  const connectors = [
    { name: "crm", status: first },
    { name: "billing", status: second },
  ];
  return { connected: false, connectors };
}

test("one of two connectors with unknown words may be connected if the platform does not say when they changed", async () => {
  const variants = { absentField: "last_change", connectionWords: "linked" } as const;
  await using on = await stage({ variants });
  const { id, state } = await lifecycle(on).create(acme);
  const connectors = [
    { name: "crm", status: "connected", last_change: "2026-01-01T00:00:00Z" },
    { name: "billing", status: "disconnected", last_change: null },
  ];
  await on.changeByHand(id, { status: { auth: { connected: false, connectors } } });
  await expect(lifecycle(on).delete(id, state)).rejects.toThrow(/is connected or may be/);
  expect(await on.tenant(id)).toMatchObject({ archived: false });
});
