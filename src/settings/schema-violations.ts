import { z } from "zod";
import type { SchemaViolation } from "../json-schema/index.ts";

/** What a value is that violates a schema of a release: an error, a warning, or nothing. */
export const schemaViolationsSchema = z.enum(["error", "warn", "off"], 'must be "error", "warn" or "off"');

export type SchemaViolations = z.infer<typeof schemaViolationsSchema>;

/**
 * A violation as a user is told of it, with the setting that allows it; nothing if the user wants to know nothing.
 *
 * @param setting its key, as the user writes it.
 */
export function reportedViolation<Violation extends Pick<SchemaViolation, "message" | "severity">>(
  violation: Violation,
  wanted: SchemaViolations,
  setting = "schemaViolations",
): Violation[] {
  if (wanted === "off") return [];
  const severity = wanted === "warn" ? "warning" : violation.severity;
  const hint = severity === "error" ? `To allow it, set ${setting}: warn` : `To hide this, set ${setting}: off`;
  const end = /[?.]$/.test(violation.message) ? " " : ". ";
  return [{ ...violation, severity, message: `${violation.message}${end}${hint}` }];
}
