import { type Agent, request } from "undici";
import type { DeliveryOutcome, DeliveryRecord } from "../entities/event.ts";

/** The fields of a delivery that sending it sets. */
export type DeliveryResult = Pick<DeliveryRecord, "outcome" | "status" | "milliseconds">;

/**
 * Sends a webhook as a POST of JSON without authentication. Only a 2xx is a success (specification, "Delivery"). Never
 * rejects. Does not follow redirects.
 */
export async function postWebhook(
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
