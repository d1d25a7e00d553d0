import { passThrough } from "../engine/pass-through.mjs";

/** A program that checks something. */
export interface Step {
  readonly name: string;
  /** How long it takes, in words. */
  readonly takes: string;
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Runs the steps one after the other, and says which one runs and how long each has taken. After a step that fails, it says
 * which ones it has not run.
 *
 * @returns the exit code of the step that failed, or 0.
 */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  for (const [index, { name, takes, command, args }] of steps.entries()) {
    const title = `${index + 1} of ${steps.length}: ${name}`;
    console.log(`\n${title}, ${takes} ...`);
    const startedAt = performance.now();
    const code = await passThrough(command, args);
    const duration = `${Math.round((performance.now() - startedAt) / 1000)} s`;
    if (code === 0) {
      console.log(`${title}: passed in ${duration}.`);
      continue;
    }
    const rest = steps.slice(index + 1).map((step) => step.name);
    const notRun = rest.length === 0 ? "" : ` Not run, because this failed: ${rest.join(", ")}.`;
    console.log(`${title}: failed after ${duration}.${notRun}`);
    return code;
  }
  return 0;
}
