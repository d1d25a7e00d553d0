import { type Agent, request } from "undici";
import type { DeliveryOutcome, DeliveryRecord } from "../entities/event.ts";

/** What sending a webhook finds out. */
export type DeliveryResult = Pick<DeliveryRecord, "outcome" | "status" | "milliseconds">;

/**
 * Sends a webhook: POST, `application/json`, no authentication; only a 2xx is success (specification, "Delivery").
 * Never rejects. Redirects are not followed.
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
    // The status is the answer; nobody reads the rest.
    body.on("error", () => {}).destroy();
    return result(statusCode >= 200 && statusCode < 300 ? "delivered" : "refused", statusCode);
  } catch {
    if (closing.aborted) return result("interrupted");
    return result(timeout.aborted ? "timeout" : "unreachable");
  }
}
