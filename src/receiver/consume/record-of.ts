import * as z from "zod";
import { integer } from "../events/fields.ts";
import type { ParsedEvent } from "../events/index.ts";
import type { LedgerRecord } from "../ledger/ledger.ts";
import type { Webhook } from "../message.ts";

/** The record of a webhook, as the ledger stores it. */
export function recordOf(webhook: Webhook, parsed: ParsedEvent): LedgerRecord {
  const { kind, eventType } = parsed;
  // An unknown event type may be as long as a body.
  const shortType = eventType?.slice(0, 200).toWellFormed();
  const { tenant_id: tenantId, run_id: runId } = "payload" in parsed ? subjectSchema.parse(parsed.payload) : {};
  return { ...webhook, reconciled: false, kind, eventType: shortType, tenantId, runId };
}

/** What an event is about. Read from malformed events too, as far as they tell. */
const subjectSchema = z.object({ tenant_id: integer, run_id: integer });
