import type { ParsedEvent } from "../events/parse-event.ts";

/** Describes why the platform does not confirm an event. The same event always gets the same description. */
export function unverifiedReason(parsed: ParsedEvent): string {
  if (parsed.kind !== "known") return "not verified: the event does not say what it is about";
  const { event } = parsed;
  switch (event.event_type) {
    case "new_integration_created":
    case "partner_integration_updated":
      return "integration_id: the platform has no such integration";
    case "tenant_archived":
      return "tenant_id: the platform does not show this tenant as archived";
    case "new_tenant_created":
      return noSuchTenant;
    case "run_failed":
      return event.tenant_id === undefined ? "not verified: the event names no tenant" : noSuchTenant;
    default:
      event satisfies never; // a new event needs a case of its own
      return "not verified";
  }
}

const noSuchTenant = "tenant_id: the platform has no such tenant";
