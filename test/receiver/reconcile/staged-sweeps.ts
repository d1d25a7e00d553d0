import { expect, onTestFinished } from "vitest";
import { createClient } from "../../../src/api/index.ts";
import { createManualClock, type Emulator, type EmulatorOptions } from "../../../src/emulator/index.ts";
import { type LocalReceiver, startLocalReceiver } from "../../../src/receiver/local/local-receiver.ts";
import type { LogEntry } from "../../../src/receiver/log.ts";
import type { BusEvent } from "../../../src/receiver/ports.ts";
import { reconcile, type SweepResult } from "../../../src/receiver/reconcile/reconcile.ts";
import { settings, startNotifying } from "../../emulator/notifying-emulator.ts";
import { call, createTenant } from "../../emulator/running-emulator.ts";
import { type FailingPorts, failingPorts } from "../consume/failing-ports.ts";
import { payload } from "../fixtures.ts";

/** The platform, a receiver of its webhooks, and sweeps over both, on one clock that is moved by the test. */
export interface Stage extends FailingPorts {
  readonly emulator: Emulator;
  readonly receiver: LocalReceiver;
  /** What came onto the bus by webhooks; `published` is what came by sweeps. */
  readonly byWebhook: readonly BusEvent[];
  /** What the receiver has logged. */
  readonly logged: readonly LogEntry[];
  sweep(options?: { graceSeconds?: number }): Promise<SweepResult>;
  /** The webhooks of what is done meanwhile reach nobody. */
  whileDown<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when every webhook has been sent and consumed. */
  settled(): Promise<void>;
}

export async function stageSweeps(options: EmulatorOptions = {}): Promise<Stage> {
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
    sweep: ({ graceSeconds } = {}) =>
      reconcile({ client, ...ports, log: () => undefined, graceSeconds, now: clock.now }),
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

/** Through the API, so that the platform sends its webhook. */
export const archive = ({ emulator }: Stage, id: number) => call(emulator, "DELETE", `/v2/tenants/${id}`);
/** What a sweep finds that finds nothing. */
export const nothing = { isStockTaking: false, waiting: 0, reconciled: 0 };

/** After the first sweep, which has taken stock of one live and one archived tenant. */
export async function afterStock(options?: Parameters<typeof stageSweeps>[0]): Promise<Stage> {
  const stage = await stageSweeps(options);
  await stage.whileDown(async () => {
    await createTenant(stage.emulator, { name: "early" });
    await archive(stage, await createTenant(stage.emulator, { name: "gone" }));
  });
  await stage.sweep();
  return stage;
}

/** The events that sweeps put on the bus: type and tenant. */
export function told(stage: Stage) {
  return stage.published.map(({ detailType, detail }) => [detailType, detail.event?.tenant_id]);
}

/** Sends a webhook, as the platform would. */
export async function deliver({ receiver }: Stage, eventType: string, fields: object): Promise<void> {
  const body = JSON.stringify(payload(eventType, fields));
  expect((await fetch(receiver.url, { method: "POST", body })).status).toBe(200);
  await receiver.settled();
}
