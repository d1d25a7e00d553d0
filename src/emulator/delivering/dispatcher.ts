import type { Agent } from "undici";
import type { Store } from "../store/store.ts";
import { postWebhook } from "./post-webhook.ts";

/** Sends the webhooks that wait: in their order, one after the other, each once (specification, "Delivery"). */
export interface Dispatcher {
  /** To be called first: what was on its way when an earlier emulator ended without closing has had its one attempt. */
  start(): void;
  /** To be called when there may be something to send. Does not wait for it. */
  poke(): void;
  /** Resolves when nothing is left to send. */
  settled(): Promise<void>;
  /** Cuts off what is on its way, which counts as its one attempt. What has not been tried waits for the next start. */
  close(): Promise<void>;
}

/** @param timeoutSeconds how long a receiver may take; the specification names no value. */
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
  const poke = () => {
    if (sending || closing.signal.aborted || !hasPending(store)) return;
    sending = sendAll().finally(() => {
      sending = undefined;
    });
  };

  return {
    start: () => {
      for (const cutOff of store.deliveries.listWhere("outcome = 'sending'")) {
        store.deliveries.update({ ...cutOff, outcome: "interrupted" });
      }
    },
    poke,
    settled: async () => {
      poke();
      while (sending) {
        await sending;
        poke();
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
