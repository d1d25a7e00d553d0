import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type CommandTrace, commandTraceSchema } from "./call.ts";
import type { Scenario } from "./scenarios.ts";

/** The file with the recorded calls of a scenario. */
export function fixturePath({ name }: Pick<Scenario, "name">): string {
  return join(import.meta.dirname, "../fixtures/call-traces", `${name.replaceAll(/[^a-z]+/gi, "-")}.json`);
}

/** The calls that the engine made. */
export async function readFixture(scenario: Pick<Scenario, "name">): Promise<CommandTrace[]> {
  return z.array(commandTraceSchema).parse(JSON.parse(await readFile(fixturePath(scenario), "utf8")));
}
