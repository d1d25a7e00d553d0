import { cpus, totalmem } from "node:os";
import { findEngine } from "../engine/find-engine.ts";
import { prepareBackends } from "./backends/open-backend.ts";
import { contenderNamed } from "./contenders/contenders.ts";
import type { Plan } from "./plans.ts";
import type { Environment } from "./results.ts";
import { findTerraform } from "./terraform/find-terraform.ts";
import { findRestapiProvider, restapiProviderVersion } from "./terraform/restapi-provider.ts";

/** Prepares what the measurements need, and returns the machine, versions and settings that the results depend on. */
export async function readEnvironment(plan: Plan): Promise<Environment> {
  const entrants = plan.flatMap((group) => group.entrants);
  const contenders = [...new Set(entrants.map(({ contender }) => contender))].map(contenderNamed);
  await prepareBackends([...new Set(entrants.map(({ backend }) => backend))]);
  const usesTerraform = contenders.some(({ name }) => name === "terraform");
  const settings = contenders.map(async ({ name, settings }) => [name, await settings()] as const);
  return {
    machine: { cores: cpus().length, memoryGigabytes: Math.round(totalmem() / 1e9) },
    versions: {
      node: process.version,
      engine: `Pulumi v${(await findEngine()).version}`,
      ...(usesTerraform && (await terraformVersions())),
    },
    settings: Object.fromEntries(await Promise.all(settings)),
  };
}

async function terraformVersions(): Promise<Record<string, string>> {
  await findRestapiProvider();
  const { version, origin } = await findTerraform();
  return { terraform: `${version}, ${origin}`, restapiProvider: `Mastercard/restapi ${restapiProviderVersion()}` };
}
