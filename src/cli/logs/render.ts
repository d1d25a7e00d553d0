import type { PlacedTenant } from "../../operation/tenant-by-id.ts";
import { toJson } from "../output.ts";

/** The log for programs. */
export function renderJson({ tenant, integration }: PlacedTenant, run: number, log: string): string {
  return toJson({ tenant: { id: tenant.id, name: tenant.name, integration: integration.record.name }, run, log });
}

/** A log as it is; on a terminal without the characters that could command it. */
export function renderText(log: string, isTerminal = false): string {
  return isTerminal ? log.replace(/(?![\n\t])\p{Cc}/gu, "") : log;
}
