import type { DeliveryOutcome } from "../delivery/deliver.ts";
import { unverifiedReason } from "../delivery/unverified-reason.ts";
import type { ParsedEvent } from "../events/index.ts";
import type { LedgerRecord } from "../ledger/ledger.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";

/** Logs what has become of a webhook, without its body. */
export function logConsumed(log: Log, record: LedgerRecord, parsed: ParsedEvent, outcome: DeliveryOutcome): void {
  const { ingestId, tenantId, runId, kind, eventType } = record;
  const isUnverified = outcome.status === "unverified";
  const problems = isUnverified ? [unverifiedReason(parsed), ...parsed.problems] : parsed.problems;
  const facts = { ingestId, tenantId, runId, kind, eventType, problems, ...outcome };
  if (outcome.status === "received") {
    log({ level: "info", message: "webhook waits in the queue", ...facts });
    return;
  }
  const level = problems.length > 0 ? "warn" : "info";
  // A duplicate was counted when its event was delivered.
  const metrics = outcome.isDuplicate ? undefined : metricsOf(parsed, isUnverified);
  log({ level, message: "webhook consumed", ...facts, metrics });
}

/** Undefined if there is nothing to count. */
function metricsOf({ kind, problems }: ParsedEvent, isUnverified: boolean): Metrics | undefined {
  const unverified = isUnverified ? { UnverifiedEvents: 1 } : {};
  if (kind === "unknown type") return { UnknownEvents: 1 };
  if (kind !== "known") return { ...unverified, MalformedEvents: 1 };
  if (problems.length > 0) return { ...unverified, DeviatingEvents: 1 };
  return isUnverified ? unverified : undefined;
}
