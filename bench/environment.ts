import { cpus, totalmem } from "node:os";
import { findEngine } from "../engine/find-engine.ts";
import { prepareBackends } from "./backends/open-backend.ts";
import type { Plan } from "./command-line.ts";
import type { Results } from "./results.ts";
import { findTerraform } from "./terraform/find-terraform.ts";

/** What the results depend on, and what has to be there before anything is timed. */
export async function readEnvironment({ contenders, backends }: Plan): Promise<Results["environment"]> {
  await prepareBackends(backends);
  const engine = await findEngine();
  const usesTerraform = contenders.some(({ name }) => name === "terraform");
  return {
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 1e9),
    node: process.version,
    engine: `Pulumi v${engine.version}`,
    ...(usesTerraform && { terraform: (await findTerraform()).version }),
  };
}
