import * as pulumi from "@pulumi/pulumi";
import { formatPath } from "../api/index.ts";
import { inLine } from "../in-line.ts";
import type { Place } from "./layers.ts";
import type { ConfigPath } from "./stack-file.ts";

/** One thing that is wrong with a stack's config. Never tells the value of a config. */
export interface Problem extends Place {
  reason: string;
}

/** Ends the program with all problems at once, a line each in the order of the file; does nothing without any. */
export function refuse(problems: readonly Problem[], locate: (path: ConfigPath) => string): void {
  if (problems.length === 0) return;
  const lines = problems
    .map(({ path, where = locate(path), reason }) => `  ${inLine(`${where}: ${formatPath(path)}: ${reason}`)}`)
    .sort(new Intl.Collator("en", { numeric: true }).compare);
  const count = problems.length === 1 ? "a problem" : `${problems.length} problems`;
  throw new pulumi.RunError(`the stack's config has ${count}; nothing has been changed:\n${lines.join("\n")}`);
}
