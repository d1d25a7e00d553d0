import type { JsonObject } from "../rules/json.ts";
import { type Html, tabs } from "./elements.ts";

/** The tabs of the section "Variants & faults". */
export function behaviorTabs(current: "variants" | "faults"): Html {
  return tabs("Variants and faults", [
    { label: "Variants", href: "/console/variants", isCurrent: current === "variants" },
    { label: "Faults", href: "/console/faults", isCurrent: current === "faults" },
  ]);
}

/** A request to `/_emulator`, as a command for a shell. */
export function shellRequest(url: string, method: "POST" | "PATCH", resource: string, body: JsonObject): string {
  const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl -X ${method} ${url}/_emulator/${resource} -H 'content-type: application/json' -d '${quoted}'`;
}
