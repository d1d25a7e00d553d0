import { afterAll, beforeAll } from "vitest";
import { type LocalReceiver, startLocalReceiver } from "../../../src/receiver/local/local-receiver.ts";
import { maxMessageBytes } from "../../../src/receiver/message.ts";
import { httpLimitsContract } from "../../http-limits-contract.ts";

let receiver: LocalReceiver;

beforeAll(async () => {
  receiver = await startLocalReceiver({ onEvent: () => {}, log: () => {} });
});
afterAll(() => receiver.close());

httpLimitsContract("the local receiver", async () => {
  const { origin, pathname, search } = new URL(receiver.url);
  return { url: origin, target: pathname + search, headers: [], maxBodyBytes: maxMessageBytes };
});
