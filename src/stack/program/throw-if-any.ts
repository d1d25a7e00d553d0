import * as pulumi from "@pulumi/pulumi";
import { type Problem, problemLines } from "../config/problems.ts";

/** Ends the program with all problems at once, a line each in the order of the file. Without problems it does nothing. */
export function throwIfAny(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const lines = problemLines(problems);
  const count = lines.length === 1 ? "a problem" : `${lines.length} problems`;
  const shown = lines.map((line) => `  ${line}`).join("\n");
  throw new pulumi.RunError(`the stack's config has ${count}; nothing has been changed:\n${shown}`);
}
