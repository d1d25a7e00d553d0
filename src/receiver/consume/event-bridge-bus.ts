import { type EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { type Bus, busSource } from "../ports.ts";

/** An EventBridge bus. Needs `events:PutEvents` on it. */
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
      // An entry that was not taken is answered with 200 all the same.
      if (FailedEntryCount !== 0) {
        throw new Error(`EventBridge did not take ${detail.ingestId} on ${busName}: ${Entries?.[0]?.ErrorCode}`);
      }
    },
  };
}
