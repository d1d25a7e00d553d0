import { type EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { busSource } from "./bus-event.ts";
import type { Bus } from "./deliver.ts";

/** An EventBridge bus. Needs the permission `events:PutEvents` on it. */
export function eventBridgeBus(client: EventBridgeClient, busName: string): Bus {
  return {
    publish: async ({ detailType, detail }) => {
      const entry = {
        EventBusName: busName,
        Source: busSource,
        DetailType: detailType,
        Detail: wellFormed(JSON.stringify(detail)),
      };
      const { Entries, FailedEntryCount } = await client.send(new PutEventsCommand({ Entries: [entry] }));
      // EventBridge answers 200 even if it rejects the entry.
      if (FailedEntryCount !== 0) {
        throw new Error(
          `EventBridge rejected event ${detail.ingestId} on bus ${busName} with ${Entries?.[0]?.ErrorCode}; the delivery is retried`,
        );
      }
    },
  };
}

/**
 * Replaces each half of a character, which JSON may contain and UTF-8 cannot, by U+FFFD: a receiver of the event may not be able to
 * parse it. JSON.stringify escapes the halves, and no other character in this way. The ledger has the body as it was sent.
 */
function wellFormed(json: string): string {
  return json.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "$1\\ufffd");
}
