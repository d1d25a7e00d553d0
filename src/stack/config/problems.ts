import type { z } from "zod";
import { describeIssues } from "../../inputs/describe-issues.ts";
import { issuesOfKnownValues } from "../../inputs/unknown-issues.ts";
import { formatPath, type KeyPath, valueAt } from "../../json/key-path.ts";
import { oneLine } from "../../json/one-line.ts";
import { shortList } from "../../json/short-list.ts";
import { type ConfigNode, type Place, placeAt } from "./config-node.ts";
import { reasonAt } from "./misplaced-settings.ts";

/** One thing that is wrong with a stack's config. It never shows the value of a config. */
export interface Problem extends Place {
  readonly reason: string;
  /** The tenant that it was found for, if it is declared for several tenants, such as in `tenantDefaults`. */
  readonly tenant?: string | undefined;
  /** The schema that it violates: `crm-to-billing v1.0.0`. */
  readonly schema?: string | undefined;
  /** Whether it stops nothing. */
  readonly isWarning?: boolean | undefined;
}

/** The problems that stop an operation, and those that do not. */
export function bySeverity(problems: readonly Problem[]): { errors: Problem[]; warnings: Problem[] } {
  const errors = problems.filter(({ isWarning = false }) => !isWarning);
  return { errors, warnings: problems.filter(({ isWarning = false }) => isWarning) };
}

/** What does not fit a schema, where it is declared. */
export function schemaProblems(error: z.ZodError | undefined, schema: z.ZodType, node: ConfigNode): Problem[] {
  const issues = error?.issues.flatMap((issue) => issuesOfKnownValues(issue, node.value)) ?? [];
  return describeIssues(issues, schema, node.value).map(({ path, reason }) => {
    const place = placeAt(node, path);
    return { ...place, reason: reasonAt(place.path, valueAt(node.value, path), reason) };
  });
}

/** A problem of a tenant at a path in its settings. If another place declares the setting, the problem names the tenant. */
export function problemAt({ key, node }: { key: string; node: ConfigNode }, path: KeyPath, reason: string): Problem {
  const place = placeAt(node, path);
  return { ...place, reason, tenant: isWithin(place.path, node.place.path) ? undefined : key };
}

/** The problems without those at or around a place that has another problem already, which may be their cause. */
export function withoutConsequences(problems: readonly Problem[], causes: readonly Problem[]): Problem[] {
  return problems.filter(({ path }) => !causes.some((other) => isWithin(other.path, path)));
}

/** Whether a path is the outer one, or leads to a part of it. */
export function isWithin(path: KeyPath, outer: KeyPath): boolean {
  return outer.every((key, index) => key === path[index]);
}

/** The problems as strings, one for each, in the order of the file: `Pulumi.sandbox.yaml:8:20: tenants.acme.paused: must be ...`. */
export function problemLines(problems: readonly Problem[]): string[] {
  const texts = distinctProblems(problems).map(({ where, path, reason }) =>
    oneLine([where, ...(path.length === 0 ? [] : [formatPath(path)]), reason].join(": ")),
  );
  return texts.sort(new Intl.Collator("en", { numeric: true }).compare);
}

/** Each problem once, with what it violates and the tenants that it was found for. Defaults have it for several tenants. */
export function distinctProblems(problems: readonly Problem[]): Problem[] {
  const groups = Map.groupBy(problems, ({ where, path, reason, schema = "" }) =>
    JSON.stringify([where, formatPath(path), reason, schema]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { path, where, reason, schema } = first;
    const tenants = [...new Set([first, ...others].flatMap(({ tenant }) => tenant ?? []))];
    const details = [
      ...(schema === undefined ? [] : [`schema of ${schema}`]),
      ...(tenants.length === 0 ? [] : [`for ${shortList(tenants, { maximum: 3 })}`]),
    ];
    return [{ path, where, reason: details.length === 0 ? reason : `${reason} (${details.join(", ")})` }];
  });
}
