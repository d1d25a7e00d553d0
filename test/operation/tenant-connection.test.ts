import { describe, expect, test } from "vitest";
import { tenantSchema } from "../../src/api/tenant-schema.ts";
import { canSync, connectionOf } from "../../src/operation/tenant-connection.ts";

/** What an operation knows whose POST was answered with this word, where the platform does not list the connectors. */
const taught = (word: string) => ({
  record: { connectors: null },
  connectorWords: { connectedStatuses: [], notConnectedStatuses: [], ofNewTenants: new Set([word]) },
});
/** A tenant with one connector that its customer has connected. */
const withWord = (status: string) => {
  const auth = { connected: false, connectors: [{ name: "crm", status, last_change: "2026-01-01T00:00:00Z" }] };
  return tenantSchema.parse({ id: 1, name: "acme", status: { last_run: { id: 7 }, auth } });
};

describe("a word in the response to a POST", () => {
  test.each(["connected", "Authorized", "AUTHENTICATED", "active"])('"%s" still means connected', (word) => {
    expect(connectionOf(withWord(word), taught(word))).toMatchObject({ isConnected: true });
    expect(canSync(withWord(word), taught(word))).toEqual({ kind: "can" });
  });

  test("means not connected if no word for connected is like it", () => {
    expect(connectionOf(withWord("unlinked"), taught("unlinked"))).toMatchObject({ isConnected: false });
    expect(canSync(withWord("unlinked"), taught("unlinked"))).toMatchObject({ kind: "cannot" });
  });
});
