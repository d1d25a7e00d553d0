import { oneLine } from "../../json/one-line.ts";
import { table } from "../fit.ts";
import { toJson } from "../output.ts";
import { formatPath } from "../property-path.ts";
import type { CheckResult } from "./find-violations.ts";

/** The result as JSON, with each path as a string. */
export function renderJson({ checked, violations, valuesNotChecked, isComplete }: CheckResult): string {
  const shown = violations.map(({ tenantId, tenant, path, problem }) => {
    return { tenantId, tenant, path: formatPath(path), problem };
  });
  return toJson({ checked, violations: shown, valuesNotChecked, isComplete });
}

/** The result for a terminal: a table of the violations, or one sentence. */
export function renderText({ checked, violations, valuesNotChecked, isComplete }: CheckResult): string {
  const notChecked = `${valuesNotChecked} ${valuesNotChecked === 1 ? "value" : "values"} could not be checked`;
  const hidden = `${notChecked}: the platform hides ${valuesNotChecked === 1 ? "it, or leaves it" : "them, or leaves them"} out.`;
  if (violations.length > 0) {
    const rows = violations.map(({ tenant, tenantId, path, problem }) => [
      tenant,
      String(tenantId),
      formatPath(path),
      problem,
    ]);
    const violated = table([["TENANT", "ID", "PATH", "VIOLATION"], ...rows.map((row) => row.map(oneLine))]);
    return `${violated}\n${valuesNotChecked > 0 ? `\n${hidden}\n` : ""}`;
  }
  if (valuesNotChecked > 0) return `No violations were found, but ${hidden}\n`;
  if (!isComplete) return "No violations were found, but not everything could be checked.\n";
  if (checked === 1) return "The tenant matches the schemas of the release.\n";
  return `All ${checked} tenants match the schemas of the release.\n`;
}
