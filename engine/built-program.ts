import { dirname, join } from "node:path";
import { builtFromSources } from "./built-from-sources.ts";

const sources = join(dirname(import.meta.dirname), "src/program.ts");

/**
 * The path of the stack's program in one file, built from `src/program.ts` and what it imports if they have changed. If it
 * cannot be built, because the clone is read-only or a source has a mistake, the path of `src/program.ts`: Node.js then runs
 * that, or says what is wrong with it.
 */
export async function builtProgram(): Promise<string> {
  try {
    return join(await builtFromSources({ name: "stack-program", write }), "program.mjs");
  } catch {
    return sources;
  }
}

async function write(folder: string): Promise<string[]> {
  const { writeStackProgram } = await import("../scripts/stack-program.ts"); // esbuild is loaded only for a build
  return writeStackProgram(folder);
}
