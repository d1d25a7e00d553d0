import { describe, expect, test } from "vitest";
import { tenantSchema } from "../../src/api/tenant-schema.ts";
import { canSync, connectionOf } from "../../src/operation/tenant-connection.ts";

const context = {
  record: { connectors: null },
  connectorWords: { connectedStatuses: [], notConnectedStatuses: [] },
};
/** A tenant that has run, with one connector that somebody has changed. */
const withWord = (status: string) => {
  const auth = { connected: false, connectors: [{ name: "crm", status, last_change: "2026-01-01T00:00:00Z" }] };
  return tenantSchema.parse({ id: 1, name: "acme", status: { last_run: { id: 7 }, auth } });
};

describe("a connector's word of a tenant that has run", () => {
  test.each(["connected", "Authorized", "AUTHENTICATED", "active"])('"%s" means connected', (word) => {
    expect(connectionOf(withWord(word), context)).toMatchObject({ isConnected: true });
    expect(canSync(withWord(word), context)).toEqual({ kind: "can" });
  });

  test.each(["Disconnected", "not_connected", "none", "PENDING"])('"%s" means not connected', (word) => {
    expect(connectionOf(withWord(word), context)).toMatchObject({ isConnected: false });
    expect(canSync(withWord(word), context)).toMatchObject({ kind: "cannot" });
  });

  test("that nobody knows may mean connected", () => {
    expect(connectionOf(withWord("unlinked"), context)).toMatchObject({ isConnected: true });
    expect(canSync(withWord("unlinked"), context)).toMatchObject({ kind: "unknown" });
  });
});
