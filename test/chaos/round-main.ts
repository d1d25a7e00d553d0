import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { providerNames } from "../engine/harness/provider-under-test.ts";
import { checkpointModes } from "./checkpoint-mode.ts";
import { playRound } from "./round.ts";

// One round, in a process of its own whose temporary files are the round's: its arguments are a RoundPlan as JSON.

const planSchema = z.object({
  seed: z.int(),
  provider: z.enum(providerNames),
  kind: z.string(),
  tenants: z.int(),
  checkpoints: z.enum(checkpointModes),
  folder: z.string(),
});
const plan = planSchema.parse(JSON.parse(process.argv[2] ?? ""));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1)); // an exit ends the child processes
process.env.TMPDIR = join(plan.folder, "tmp");
await mkdir(process.env.TMPDIR, { recursive: true });
await writeFile(join(plan.folder, "report.json"), JSON.stringify(await playRound(plan)));
process.exit(); // processes of a killed engine may hold handles open
