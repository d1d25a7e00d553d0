import { expect, onTestFinished, test } from "vitest";
import type { BusEvent } from "../../src/receiver/delivery/bus-event.ts";
import { eventHandlers, eventTypes } from "../../src/receiver/events/index.ts";
import { startLocalReceiver } from "../../src/receiver/local/local-receiver.ts";
import { startNotifying } from "../emulator/notifying-emulator.ts";
import { call, createTenant, install, sync } from "../emulator/running-emulator.ts";
import { eventNames, payload } from "./fixtures.ts";

test("the receiver acknowledges and knows every event of the emulator, with the fields of the specification", async () => {
  const events: BusEvent[] = [];
  const receiver = await startLocalReceiver({ onEvent: (event) => void events.push(event), log: () => undefined });
  onTestFinished(() => receiver.close());
  const emulator = await startNotifying(receiver);

  await call(emulator, "POST", "/_emulator/integrations", { name: "a-to-b", long_name: "A to B" });
  await call(emulator, "DELETE", `/v2/tenants/${await createTenant(emulator)}`);
  const partner = { partner: { id: 7, name: "Partner Inc" }, change: { long_name: "Theirs" } };
  await call(emulator, "POST", "/_emulator/integrations/101/partner-changes", partner);
  await sync(emulator, await install(emulator, { runs: { outcome: "fail" } }));
  await emulator.advance({ seconds: 60 });
  await emulator.settled();
  await receiver.settled();

  expect(emulator.deliveries().map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => "delivered"));
  expect(new Set(events.map(({ detailType }) => detailType))).toEqual(new Set(eventNames));
  for (const { detailType, detail } of events) {
    expect(detail).toMatchObject({ isWhole: true, problems: [], reconciled: false });
    expect(Object.keys(detail.event ?? {}).sort()).toEqual(Object.keys(payload(detailType)).sort());
  }

  const handled: string[] = [];
  const handler = eventHandlers({
    onRunFailed: ({ run_status, tenant_name }) => handled.push(`${tenant_name}'s run ${run_status}`),
    onTenantArchived: ({ tenant_id }) => handled.push(`tenant ${tenant_id} archived`),
  });
  for (const { detail } of events) await handler({ detail: JSON.parse(JSON.stringify(detail)) });
  expect(handled).toEqual(["tenant 5001 archived", "acme's run failed"]);
  expect(eventTypes).toHaveLength(events.length - 1);
});
