import { type Agent, request } from "undici";
import type { DeliveryOutcome, DeliveryRecord } from "../entities/event.ts";
import type { Store } from "../store/store.ts";

/** Sends pending webhooks in their order, one at a time, each once (specification, "Delivery"). */
interface Dispatcher {
  /** Call this first. It marks webhooks as interrupted that an earlier emulator was sending when its process died. */
  start(): void;
  /** Starts sending when webhooks are pending, and does not wait for the end. */
  sendPending(): void;
  /** Resolves when no webhook is pending. */
  settled(): Promise<void>;
  /** Interrupts the webhook that is being sent, which counts as sent. Pending webhooks wait for the next start. */
  close(): Promise<void>;
}

/** @param timeoutSeconds how long a receiver may take. The specification names no value. */
export function createDispatcher(store: Store, agent: Agent, timeoutSeconds: number): Dispatcher {
  const closing = new AbortController();
  let sending: Promise<void> | undefined;

  const sendAll = async () => {
    while (!closing.signal.aborted) {
      const delivery = store.deliveries.findWhere("outcome = 'pending'");
      if (!delivery) return;
      store.deliveries.update({ ...delivery, outcome: "sending" });
      const result = await postWebhook(agent, delivery, { timeoutSeconds, closing: closing.signal });
      store.deliveries.update({ ...delivery, ...result });
    }
  };
  const sendPending = () => {
    if (sending || closing.signal.aborted || !hasPending(store)) return;
    sending = sendAll().finally(() => {
      sending = undefined;
    });
  };

  return {
    start: () => {
      for (const interrupted of store.deliveries.listWhere("outcome = 'sending'")) {
        store.deliveries.update({ ...interrupted, outcome: "interrupted" });
      }
    },
    sendPending,
    settled: async () => {
      sendPending();
      while (sending) {
        await sending;
        sendPending();
      }
    },
    close: async () => {
      closing.abort();
      await sending;
    },
  };
}

function hasPending(store: Store): boolean {
  return store.deliveries.findWhere("outcome = 'pending'") !== undefined;
}

/** The fields of a delivery that sending it sets. */
type DeliveryResult = Pick<DeliveryRecord, "outcome" | "status" | "milliseconds">;

/**
 * Sends a webhook as a POST of JSON without authentication. Only a 2xx is a success (specification, "Delivery"). Never
 * rejects. Does not follow redirects.
 */
async function postWebhook(
  agent: Agent,
  { url, payload }: DeliveryRecord,
  { timeoutSeconds, closing }: { readonly timeoutSeconds: number; readonly closing: AbortSignal },
): Promise<DeliveryResult> {
  const startedAt = performance.now();
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
  const result = (outcome: DeliveryOutcome, status: number | null = null): DeliveryResult => ({
    outcome,
    status,
    milliseconds: Math.round(performance.now() - startedAt),
  });
  try {
    const { statusCode, body } = await request(url, {
      dispatcher: agent,
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "integration-platform-emulator" },
      body: JSON.stringify(payload),
      signal: AbortSignal.any([timeout, closing]),
    });
    // Only the status matters, so the body is not read.
    body.on("error", () => {}).destroy();
    return result(statusCode >= 200 && statusCode < 300 ? "delivered" : "refused", statusCode);
  } catch {
    if (closing.aborted) return result("interrupted");
    return result(timeout.aborted ? "timeout" : "unreachable");
  }
}
