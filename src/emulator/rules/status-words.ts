import type { Variants } from "../variants.ts";

/** The phase of a run, in the emulator's own words. The API shows the words of the variant `statusWords`. */
export type RunPhase = "pending" | "running" | "succeeded" | "failed";

export function isRunPhase(value: unknown): value is RunPhase {
  return typeof value === "string" && Object.hasOwn(runWords.plain, value);
}

/** The API's word for the phase of a run. The specification shows only "failed". */
export function statusWord(vocabulary: Variants["statusWords"], phase: RunPhase): string {
  return runWords[vocabulary][phase];
}

/** The API's word for the phase of a run in a run's record, where the default has the kind of a failure in brackets. */
export function phaseWord(vocabulary: Variants["statusWords"], phase: RunPhase, failed = "Integration Issue"): string {
  return vocabulary === "plain" && phase === "failed" ? `Failed (${failed})` : statusWord(vocabulary, phase);
}

/**
 * The API's word for the status of a tenant's connector. The specification shows none. A word that somebody set by hand
 * comes back unchanged.
 */
export function connectionWord(vocabulary: Variants["connectionWords"], status: string): string {
  return status === "connected" || status === "disconnected" ? connectionWords[vocabulary][status] : status;
}

/** The words of each value of the variant `statusWords`. */
export const runWords: Readonly<Record<Variants["statusWords"], Readonly<Record<RunPhase, string>>>> = {
  plain: { pending: "pending", running: "running", succeeded: "succeeded", failed: "failed" },
  capitalized: { pending: "Pending", running: "Running", succeeded: "Succeeded", failed: "Failed" },
  queue: { pending: "queued", running: "in_progress", succeeded: "success", failed: "failure" },
  mixed: { pending: "ACCEPTED", running: "hydrating", succeeded: "Done", failed: "FAILED" },
  processed: { pending: "Waiting", running: "Processing", succeeded: "Processed", failed: "Broken" },
};

/** The words of each value of the variant `connectionWords`. */
export const connectionWords: Readonly<
  Record<Variants["connectionWords"], Readonly<Record<"connected" | "disconnected", string>>>
> = {
  plain: { connected: "connected", disconnected: "disconnected" },
  capitalized: { connected: "Connected", disconnected: "Not-Connected" },
  linked: { connected: "linked", disconnected: "unlinked" },
  terse: { connected: "OK", disconnected: "NONE" },
};
