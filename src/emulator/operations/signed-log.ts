import { createHmac, timingSafeEqual } from "node:crypto";
import type { Platform } from "../platform.ts";
import { NotFound } from "../rules/problems.ts";

/** Specification, "Limits": how long a signed link to a log is valid. */
export const linkLifetimeSeconds = 15 * 60;

/**
 * GET /v2/runs/{run_id}/log: the path and query of a signed link to the log. The link needs no API key.
 *
 * @throws NotFound also when the run has not started yet.
 */
export function signLog(platform: Platform, runId: number): string {
  const { store, clock } = platform;
  if (!store.runs.find(runId)) throw new NotFound(`Run ${runId} not found`);
  if (store.runs.findLog(runId) === undefined) throw new NotFound(`Run ${runId} has no log yet`);
  const expires = Math.ceil(clock.now() / 1000) + linkLifetimeSeconds;
  const query = new URLSearchParams({ expires: String(expires), signature: signatureOf(platform, runId, expires) });
  return `/_storage/runs/${runId}.log?${query}`;
}

/** The log behind a signed link, or why the link is refused. */
export type SignedLog = { readonly log: string } | { readonly refusal: "expired" | "forged" | "gone" };

/** Opens a signed link. A link can be used any number of times until it expires. */
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

/** The signature of a string, for links that need no API key. */
export function sign(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

export function isSignature(key: string, text: string, signature: string): boolean {
  const expected = Buffer.from(sign(key, text));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
