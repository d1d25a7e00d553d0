import { oneLine } from "../../json/one-line.ts";
import { table } from "../fit.ts";
import { toJson } from "../output.ts";
import { formatPath } from "../property-path.ts";
import type { CheckResult, TenantViolation } from "./find-violations.ts";

/** The result as JSON, with each path as a string. */
export function renderJson({ checked, violations, warnings, valuesNotChecked, isComplete }: CheckResult): string {
  const shown = (found: readonly TenantViolation[]) => found.map((one) => ({ ...one, path: formatPath(one.path) }));
  return toJson({ checked, violations: shown(violations), warnings: shown(warnings), valuesNotChecked, isComplete });
}

/** The result for a terminal: a table of the violations, or one sentence; and a table of the warnings. */
export function renderText(result: CheckResult): string {
  const { warnings } = result;
  return `${renderViolations(result)}${warnings.length > 0 ? `\n${renderTable(warnings, "WARNING")}\n` : ""}`;
}

function renderViolations({ checked, violations, valuesNotChecked, isComplete }: CheckResult): string {
  const notChecked = `${valuesNotChecked} ${valuesNotChecked === 1 ? "value" : "values"} could not be checked`;
  const hidden = `${notChecked}: the platform hides ${valuesNotChecked === 1 ? "it, or leaves it" : "them, or leaves them"} out.`;
  if (violations.length > 0) {
    return `${renderTable(violations, "VIOLATION")}\n${valuesNotChecked > 0 ? `\n${hidden}\n` : ""}`;
  }
  if (valuesNotChecked > 0) return `No violations were found, but ${hidden}\n`;
  if (!isComplete) return "No violations were found, but not everything could be checked.\n";
  if (checked === 1) return "The tenant matches the schemas of the release.\n";
  return `All ${checked} tenants match the schemas of the release.\n`;
}

function renderTable(violations: readonly TenantViolation[], title: string): string {
  const rows = violations.map(({ tenant, tenantId, path, problem }) => [
    tenant,
    String(tenantId),
    formatPath(path),
    problem,
  ]);
  return table([["TENANT", "ID", "PATH", title], ...rows.map((row) => row.map(oneLine))]);
}
