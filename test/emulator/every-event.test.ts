import { expect, test } from "vitest";
import { eventTypes as emulatorEventTypes } from "../../src/emulator/entities/event.ts";
import type { Emulator, EventKey } from "../../src/emulator/index.ts";
import { eventTypes, parseEvent } from "../../src/receiver/events/index.ts";
import { payloads, startNotifying } from "./notifying-emulator.ts";
import { call, createTenant, install, sync } from "./running-emulator.ts";
import { startReceiver } from "./webhook-receiver.ts";

/** What causes each event. An event without a cause does not compile. */
const causes: Readonly<Record<EventKey, (emulator: Emulator) => Promise<unknown>>> = {
  integration_created: (emulator) => call(emulator, "POST", "/_emulator/integrations", { name: "a-to-b" }),
  tenant_created: (emulator) => createTenant(emulator),
  tenant_archived: async (emulator) => call(emulator, "DELETE", `/v2/tenants/${await createTenant(emulator)}`),
  partner_integration_updated: (emulator) =>
    call(emulator, "POST", "/_emulator/integrations/101/partner-changes", {
      partner: { id: 7, name: "Partner Inc" },
      change: { long_name: "Theirs" },
    }),
  run_failed: async (emulator) => {
    await sync(emulator, await install(emulator, { runs: { outcome: "fail" } }));
    await emulator.advance({ seconds: 60 });
  },
};

test.each(Object.entries(causes))("%s is sent, and the receiver knows its payload", async (event, cause) => {
  const receiver = await startReceiver();
  const emulator = await startNotifying(receiver);
  await cause(emulator);
  const received = await payloads(emulator, receiver);
  expect(emulator.deliveries().map((delivery) => delivery.event)).toContain(event);
  for (const payload of received) {
    expect(parseEvent(JSON.stringify(payload))).toMatchObject({ kind: "known", problems: [] });
  }
});

test("the emulator and the receiver have the same events", () => {
  expect(Object.values(emulatorEventTypes).sort()).toEqual([...eventTypes].sort());
});
