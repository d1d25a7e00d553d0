import type { z } from "zod";
import { describeIssue } from "../inputs/input-schema.ts";
import { formatPath, type KeyPath } from "../json/key-path.ts";
import { oneLine } from "../json/one-line.ts";
import { type ConfigNode, type Place, placeAt } from "./config-node.ts";
import { issuesOfKnownValues } from "./unknown-issues.ts";

/** One thing that is wrong with a stack's config. It never shows the value of a config. */
export interface Problem extends Place {
  readonly reason: string;
}

/** What does not fit a schema, where it is declared. */
export function schemaProblems(error: z.ZodError | undefined, schema: z.ZodType, node: ConfigNode): Problem[] {
  const issues = error?.issues.flatMap((issue) => issuesOfKnownValues(issue, node.value)) ?? [];
  const found = issues.flatMap((issue) => describeIssue(issue, schema));
  return found.map(({ path, reason }) => ({ ...placeAt(node, path), reason }));
}

/** The problems without those at or around a place that has another problem already, which may be their cause. */
export function withoutConsequences(problems: readonly Problem[], causes: readonly Problem[]): Problem[] {
  return problems.filter(({ path }) => !causes.some((other) => isWithin(other.path, path)));
}

/** Whether a path is the outer one, or leads to a part of it. */
export function isWithin(path: KeyPath, outer: KeyPath): boolean {
  return outer.every((key, index) => key === path[index]);
}

/** The problems as texts, one for each, in the order of the file: `Pulumi.sandbox.yaml:8:20: tenants.acme.paused: must be ...`. */
export function problemLines(problems: readonly Problem[]): string[] {
  const texts = problems.map(({ where, path, reason }) => oneLine(`${where}: ${formatPath(path)}: ${reason}`));
  // A problem of defaults is found once for each tenant.
  return [...new Set(texts)].sort(new Intl.Collator("en", { numeric: true }).compare);
}
