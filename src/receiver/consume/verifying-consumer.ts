import { type Client, createClient } from "../../api/index.ts";
import { once } from "../../snapshot/once.ts";
import { type BatchFailures, type ConsumePorts, consume, type QueueBatch } from "./consume.ts";
import { type VerificationOptions, verifyOnPlatform } from "./verify-on-platform.ts";

/** How the consumer reads the platform. */
export interface PlatformAccess extends Omit<VerificationOptions, "connect"> {
  /** Base URL of the platform, without `/v2`. */
  readonly baseUrl: string;
  /** The key is kept until a request fails, so that a rotated key takes effect. */
  readonly readApiKey: () => Promise<string>;
}

/** The function has 30 seconds for a batch. Reading the platform must leave time for the ledger and the bus. */
const limits = { connectTimeoutSeconds: 2, callTimeoutSeconds: 5, maxAttempts: 3, maxRetryAfterSeconds: 2 };
const backoffSeconds = { first: 0.25, max: 1 };
const maxReadingSeconds = 15;

/** Creates a consumer that verifies events on the platform before it publishes them. */
export function createVerifyingConsumer(
  { baseUrl, readApiKey, ...options }: PlatformAccess,
  ports: Omit<ConsumePorts, "verify">,
): (batch: QueueBatch) => Promise<BatchFailures> {
  const apiKey = once(readApiKey);
  return async (batch) => {
    let client: Client | undefined;
    const connect = async () => {
      const signal = AbortSignal.timeout(maxReadingSeconds * 1000);
      client = createClient({ baseUrl, apiKey: await apiKey(), ...limits, backoffSeconds, signal });
      return client;
    };
    const ask = verifyOnPlatform({ ...options, connect });
    const verify: typeof ask = async (event, receivedAt) => {
      try {
        return await ask(event, receivedAt);
      } catch (error) {
        apiKey.forget();
        throw error;
      }
    };
    try {
      return await consume(batch, { ...ports, verify });
    } finally {
      await client?.close();
    }
  };
}
