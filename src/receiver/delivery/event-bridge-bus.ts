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
        Detail: JSON.stringify(detail),
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
