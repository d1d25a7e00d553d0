import type { Emulator, EmulatorOptions } from "../../src/emulator/index.ts";
import type { ReceivedResponse } from "../send-request.ts";
import { call, startManual } from "./running-emulator.ts";
import type { Receiver } from "./webhook-receiver.ts";

/** The events of the specification, by their configuration keys. */
export const events = [
  "integration_created",
  "tenant_created",
  "tenant_archived",
  "partner_integration_updated",
  "run_failed",
] as const;

/** An emulator that sends every event to the receiver. */
export async function startNotifying(receiver: { url: string }, options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startManual(options);
  await settings(emulator, {
    webhook_url: receiver.url,
    notifications: Object.fromEntries(events.map((event) => [event, { send_webhook: true }])),
  });
  return emulator;
}

/** Changes the settings as an administrator would. */
export function settings(emulator: Emulator, change: object): Promise<ReceivedResponse> {
  return call(emulator, "PATCH", "/_emulator/settings", change);
}

/** The payloads that the receiver got, when no webhook is pending. */
export async function payloads(emulator: Emulator, receiver: Receiver): Promise<unknown[]> {
  await emulator.settled();
  return receiver.received.map(({ payload }) => payload);
}
