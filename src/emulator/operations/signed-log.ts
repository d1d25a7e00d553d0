import { NotFound } from "../http/problems.ts";
import type { Platform } from "../platform.ts";
import { isSignature, sign } from "../rules/signature.ts";

/** Specification, "Limits": how long a signed link to a log holds. */
export const linkLifetimeSeconds = 15 * 60;

/**
 * GET /v2/runs/{run_id}/log: the path and query of the log's signed link, which needs no API key.
 *
 * @throws NotFound also when the run has not started, and so has no log yet.
 */
export function signLog(platform: Platform, runId: number): string {
  const { store, clock } = platform;
  if (!store.runs.find(runId)) throw new NotFound(`Run ${runId} not found`);
  if (store.runs.findLog(runId) === undefined) throw new NotFound(`Run ${runId} has no log yet`);
  const expires = Math.ceil(clock.now() / 1000) + linkLifetimeSeconds;
  const query = new URLSearchParams({ expires: String(expires), signature: signatureOf(platform, runId, expires) });
  return `/_storage/runs/${runId}.log?${query}`;
}

/** What following a link comes to. */
export type SignedLog = { readonly log: string } | { readonly refusal: "expired" | "forged" | "gone" };

/** The log behind a signed link. The same link does for all of its time. */
export function openSignedLog(platform: Platform, runId: number, expires: number, signature: string): SignedLog {
  const text = signedText(runId, expires);
  if (!isSignature(platform.store.settings.signingKey(), text, signature)) return { refusal: "forged" };
  if (platform.clock.now() >= expires * 1000) return { refusal: "expired" };
  const log = platform.store.runs.findLog(runId);
  return log === undefined ? { refusal: "gone" } : { log };
}

function signatureOf({ store }: Platform, runId: number, expires: number): string {
  return sign(store.settings.signingKey(), signedText(runId, expires));
}

function signedText(runId: number, expires: number): string {
  return `${runId} ${expires}`;
}
