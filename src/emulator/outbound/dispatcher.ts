import type { Agent } from "undici";
import type { Store } from "../store/store.ts";
import { postWebhook } from "./post-webhook.ts";

/** Sends pending webhooks in their order, one at a time, each once (specification, "Delivery"). */
export interface Dispatcher {
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
