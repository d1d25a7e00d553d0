import { describe, expect, test } from "vitest";
import type { FaultSpec } from "../../../src/emulator/index.ts";
import { createOperationContext } from "../../../src/operation/operation-context.ts";
import type { ConnectorWords } from "../../../src/operation/tenant-connection.ts";
import { syncTriggerLifecycle } from "../../../src/resources/sync-trigger/lifecycle.ts";
import { failureOf } from "../stage.ts";
import { asked, connect, operation, type SyncStage, syncStage, unconnected } from "./sync-stage.ts";

const listing = (status: string) => ({
  status: { auth: { connected: false, connectors: [{ name: "crm", status, last_change: "2026-01-01T00:00:00Z" }] } },
});

/** The lifecycle of a new operation, with the user's status words. */
function namingWords(on: SyncStage, words: Partial<ConnectorWords>) {
  const { client, consistencyTimeoutSeconds } = on.operation().context;
  const connectorWords = { connectedStatuses: [], notConnectedStatuses: [], ...words };
  return syncTriggerLifecycle(
    createOperationContext({ client, consistencyTimeoutSeconds, warn: () => {}, connectorWords }),
  );
}

describe("if the platform does not report whether a tenant is connected", () => {
  describe.each([
    ["no auth", { absentField: "auth" }],
    ["no status", { absentField: "status" }],
    ["neither the boolean nor a connector", { absentField: "connected", authConnectors: "none" }],
  ] as const)("%s", (_, variants) => {
    test("a connected tenant is synced", async () => {
      await using on = await syncStage({}, { variants });
      expect((await operation(on).create(on.inputs)).state.outcome).toBe("succeeded");
      expect(on.warnings).toEqual([]);
    });

    test.each(["refuse", "missing"] as const)(
      "an unconnected tenant's sync is requested, the refusal is reported, and the sync stays due until it works (%s)",
      async (unconnectedSync) => {
        await using on = await syncStage(unconnected, { variants: { ...variants, unconnectedSync } });
        const { id, state } = await operation(on).create(on.inputs);
        expect(asked(on)).toHaveLength(1);
        expect(state).toEqual({ ...on.inputs, outcome: "skipped" });
        expect(on.warnings).toEqual([
          expect.stringMatching(
            /init sync of tenant \d+ is skipped: the platform refused it: .*(is not connected|has no connected system)/,
          ),
        ]);
        expect((await operation(on).diff(id, state, on.inputs)).isUnfinished).toBe(true);
        await connect(on);
        expect(await operation(on).update(id, state, on.inputs)).toMatchObject({ outcome: "succeeded" });
      },
    );

    test("a refusal is an error if whenUnconnected is fail", async () => {
      await using on = await syncStage(unconnected, { variants });
      const failure = await failureOf(operation(on).create({ ...on.inputs, whenUnconnected: "fail" }));
      expect(failure.message).toMatch(/POST .*\/sync.*422/);
    });
  });

  test("a tenant without an integration in its response is found in the lists of the integrations", async () => {
    await using connected = await syncStage({}, { variants: { absentField: "integration_id" } });
    expect((await operation(connected).create(connected.inputs)).state.outcome).toBe("succeeded");
    await using on = await syncStage(unconnected, { variants: { absentField: "integration_id" } });
    expect((await operation(on).create(on.inputs)).state.outcome).toBe("skipped");
    expect(asked(on)).toEqual([]);
  });

  test.each<[string, FaultSpec]>([
    ["403", { kind: "status", status: 403 }],
    ["404", { kind: "html", status: 404 }], // of an ingress
  ])("any failure other than a refusal is an error: %s", async (status, fault) => {
    await using on = await syncStage(unconnected, { variants: { absentField: "auth" } });
    on.emulator.fault({ ...fault, match: { method: "POST", path: "/sync$" } });
    expect((await failureOf(operation(on).create(on.inputs))).message).toContain(status);
  });
});

describe("if the platform lists no connectors", () => {
  test("an unconnected tenant is skipped, and the reason is reported", async () => {
    await using on = await syncStage(unconnected);
    const { id, state } = await operation(on).create(on.inputs);
    expect(state.outcome).toBe("skipped");
    expect(on.warnings).toEqual([
      expect.stringMatching(/is skipped: tenant "acme" is not connected.*status\.auth\.connectors lists none/),
    ]);
    expect((await operation(on).diff(id, state, on.inputs)).isUnfinished).toBe(false);
    expect(asked(on)).toEqual([]);
  });

  test("a connected tenant is also synced", async () => {
    await using on = await syncStage({}, { variants: { authConnectors: "none" } });
    expect((await operation(on).create(on.inputs)).state.outcome).toBe("succeeded");
  });
});

describe("status words of connectors", () => {
  test("that are unknown: the sync is requested", async () => {
    await using on = await syncStage(listing("unlinked"));
    expect((await operation(on).create(on.inputs)).state.outcome).toBe("skipped");
    expect(asked(on)).toHaveLength(1);
    expect(on.warnings[0]).toContain('its connector "crm" has the status "unlinked"');
  });

  test.each([["disconnected"], ["NONE"]])("that mean not connected: skipped without a request (%s)", async (word) => {
    await using on = await syncStage(listing(word));
    expect((await operation(on).create(on.inputs)).state.outcome).toBe("skipped");
    expect(asked(on)).toEqual([]);
  });

  test("that the user declares as not connected or as connected", async () => {
    await using on = await syncStage(listing("un-linked"), { variants: { unconnectedSync: "accept" } });
    const not = namingWords(on, { notConnectedStatuses: ["unlinked"] });
    expect((await not.create(on.inputs)).state.outcome).toBe("skipped");
    expect(asked(on)).toEqual([]);
    const connected = namingWords(on, { connectedStatuses: ["Unlinked"] });
    expect((await connected.create(on.inputs)).state.outcome).toBe("succeeded");
  });
});
