import { expect, onTestFinished } from "vitest";
import { type Client, createClient } from "../../../src/api/index.ts";
import { createManualClock, type Emulator, type EmulatorOptions } from "../../../src/emulator/index.ts";
import type { BusEvent } from "../../../src/receiver/delivery/bus-event.ts";
import { type LocalReceiver, startLocalReceiver } from "../../../src/receiver/local/local-receiver.ts";
import type { Log, LogEntry } from "../../../src/receiver/log.ts";
import { reconcile, type SweepResult } from "../../../src/receiver/reconcile/reconcile.ts";
import { settings, startNotifying } from "../../emulator/notifying-emulator.ts";
import { call, createTenant } from "../../emulator/running-emulator.ts";
import { type FailingPorts, failingPorts } from "../failing-ports.ts";
import { payload } from "../fixtures.ts";

/** An emulator, a receiver of its webhooks, and sweeps that compare both, on a clock that the test advances. */
export interface Platform extends FailingPorts {
  readonly emulator: Emulator;
  readonly receiver: LocalReceiver;
  /** The events that webhooks brought onto the bus. `published` has those of sweeps. */
  readonly byWebhook: readonly BusEvent[];
  /** The log of the receiver. */
  readonly logged: readonly LogEntry[];
  sweep(options?: { graceSeconds?: number; maximumEvents?: number; log?: Log }): Promise<SweepResult | undefined>;
  /** The client of the sweeps. */
  readonly client: Client;
  readonly now: () => number;
  /** Runs `work` while the platform's webhooks cannot reach the receiver. */
  whileDown<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when every webhook is sent and consumed. */
  settled(): Promise<void>;
}

export async function startPlatform(options: EmulatorOptions = {}): Promise<Platform> {
  const clock = createManualClock();
  const byWebhook: BusEvent[] = [];
  const logged: LogEntry[] = [];
  const onEvent = (event: BusEvent) => void byWebhook.push(event);
  const receiver = await startLocalReceiver({ onEvent, log: (entry) => void logged.push(entry) });
  onTestFinished(() => receiver.close());
  const emulator = await startNotifying(receiver, { clock, ...options });
  const { url: baseUrl, apiKey } = emulator;
  const client = createClient({ baseUrl, apiKey, maxAttempts: 2, backoffSeconds: { first: 0, max: 0 } });
  onTestFinished(() => client.close());
  const ports = failingPorts(receiver.ledger);
  const settled = async () => {
    await emulator.settled();
    await receiver.settled();
  };

  return {
    ...ports,
    emulator,
    receiver,
    byWebhook,
    logged,
    settled,
    client,
    now: clock.now,
    sweep: ({ log = () => undefined, ...options } = {}) =>
      reconcile({ client, ...ports, log, ...options, now: clock.now }),
    whileDown: async (work) => {
      await settled();
      await settings(emulator, { webhook_url: "http://127.0.0.1:1/" });
      const result = await work();
      await settled();
      await settings(emulator, { webhook_url: receiver.url });
      return result;
    },
  };
}

/** Archives a tenant through the API, so that the platform sends a webhook. */
export const archive = ({ emulator }: Platform, id: number) => call(emulator, "DELETE", `/v2/tenants/${id}`);

/** The result of a sweep that finds nothing, without the number of tenants. */
export const nothingFound = { isBaseline: false, waiting: 0, reconciled: 0, withheld: 0 };

/** Starts a platform with one live and one archived tenant, and runs the first sweep, which records them as the baseline. */
export async function startWithBaseline(options?: Parameters<typeof startPlatform>[0]): Promise<Platform> {
  const platform = await startPlatform(options);
  await platform.whileDown(async () => {
    await createTenant(platform.emulator, { name: "early" });
    await archive(platform, await createTenant(platform.emulator, { name: "gone" }));
  });
  await platform.sweep();
  return platform;
}

/** The type and the tenant of each event that sweeps published. */
export function publishedEvents(platform: Platform) {
  return platform.published.map(({ detailType, detail }) => [detailType, detail.event?.tenant_id]);
}

/** Sends a webhook as the platform does, and waits until it is consumed. */
export async function deliver({ receiver }: Platform, eventType: string, fields: object): Promise<void> {
  const body = JSON.stringify(payload(eventType, fields));
  expect((await fetch(receiver.url, { method: "POST", body })).status).toBe(200);
  await receiver.settled();
}
