import { afterEach, expect, test, vi } from "vitest";
import { reconciledEvent } from "../../../src/receiver/reconcile/reconciled-event.ts";
import { respondJson, startServer } from "../../api/scripted-server.ts";

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["2026-06-01T00:00:00.123", "2026-06-01T00:00:00.123Z"],
  ["2026-06-01T02:00:00+02:00", "2026-06-01T00:00:00.000Z"],
  ["last week", "2026-06-02T00:00:00.000Z"],
])("the event of a tenant that was created at %s has the time in UTC", async (created, timestamp) => {
  vi.stubEnv("TZ", "America/New_York");
  await using platform = await startServer((_request, response) =>
    respondJson(response, 200, [{ id: 7, name: "acme", created_date: created }]),
  );
  const [tenant] = await platform.client.tenants.listPage();
  expect(tenant && reconciledEvent(tenant, "created", "2026-06-02T00:00:00.000Z", new Map())).toEqual({
    event_type: "new_tenant_created",
    timestamp,
    tenant_id: 7,
    tenant_name: "acme",
  });
});
