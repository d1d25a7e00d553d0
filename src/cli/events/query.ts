import { closest } from "../../inputs/did-you-mean.ts";
import { oneLine } from "../../json/one-line.ts";
import type { ListedRecord, RecordQuery } from "../../receiver/ledger/ledger.ts";
import { type DetailType, detailTypes } from "../../receiver/subscribed-types.ts";
import { UsageError } from "../subcommand.ts";
import { type EventFilters, parseTime } from "./options.ts";

/** A query of the ledger, and what the ledger itself cannot select. */
export interface EventQuery extends RecordQuery {
  /** Whether a record that the ledger has found is one of the selected. Default: all are. */
  readonly counts?: ((record: ListedRecord) => boolean) | undefined;
}

/** Ten years. A ledger on AWS answers one request for each day. */
const daysMaximum = 3653;

/**
 * What the filters of a command line ask for: events of the last 24 hours unless they say otherwise.
 *
 * @throws UsageError if no event can match them.
 */
export function queryOf({ since = parseTime("24h"), until, type, tenant: tenantId }: EventFilters): EventQuery {
  const now = new Date().toISOString();
  if (since > now) throw new UsageError(`--since ${since} is in the future`);
  if (until !== undefined && since >= until) {
    throw new UsageError(`--since ${since} (default: 24 hours ago) must be before --until ${until}`);
  }
  if (Date.parse(until ?? now) - Date.parse(since) > daysMaximum * 86_400_000) {
    throw new UsageError(`--since ${since} is more than ten years before --until; a ledger is read day by day`);
  }
  return { since, until: until ?? now, tenantId, ...typeQueryOf(type) };
}

function typeQueryOf(text: string | undefined): Pick<EventQuery, "eventType" | "counts"> {
  if (text === undefined) return {};
  const type = detailTypes.find((name) => name === text);
  if (type === undefined) {
    const match = closest(text, detailTypes);
    const hint = text === "" || match === undefined ? "" : `; did you mean ${match}?`;
    throw new UsageError(`--type "${oneLine(text)}" is not an event type${hint}\nThe types: ${detailTypes.join(", ")}`);
  }
  const counts = otherTypes[type];
  return counts === undefined ? { eventType: type } : { counts };
}

/** The types that are no `event_type`. */
const otherTypes: Partial<Record<DetailType, (record: ListedRecord) => boolean>> = {
  unknown: ({ kind }) => kind === "unknown type",
  malformed: ({ kind }) => ["malformed", "not JSON", "not UTF-8"].includes(kind),
};
