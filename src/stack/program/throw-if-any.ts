import * as pulumi from "@pulumi/pulumi";
import { type Problem, problemLines } from "../config/problems.ts";

const shownMaximum = 50;

/**
 * Ends the program with the problems at once, a line each in the order of the file. Without problems it does nothing.
 *
 * @param command which lists all problems, if there are too many for a terminal: thousands of tenants may share a mistake.
 */
export function throwIfAny(problems: readonly Problem[], command = "integration-platform validate"): void {
  if (problems.length === 0) return;
  const lines = problemLines(problems);
  const count = lines.length === 1 ? "a problem" : `${lines.length.toLocaleString("en")} problems`;
  const rest = lines.length - shownMaximum;
  const more = rest > 0 ? [`and ${rest.toLocaleString("en")} more: \`${command}\` lists all`] : [];
  const shown = [...lines.slice(0, shownMaximum), ...more].map((line) => `  ${line}`).join("\n");
  throw new pulumi.RunError(`the stack's config has ${count}; nothing has been changed:\n${shown}`);
}
