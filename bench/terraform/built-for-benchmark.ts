import { dirname, join } from "node:path";
import { builtProgram, type GoProgram } from "../../engine/go-program.ts";
import { cacheDirectory } from "../../engine/set-up.ts";

/** Returns the path of a program that only the benchmark uses. Builds it if necessary. */
export function builtForBenchmark(program: GoProgram): Promise<string> {
  return builtProgram(program, join(dirname(cacheDirectory()), "bench"));
}
