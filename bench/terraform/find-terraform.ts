import { join } from "node:path";
import { runCommand } from "../../engine/run-command.ts";
import { builtForBenchmark } from "./built-for-benchmark.ts";

export interface Terraform {
  /** Name or path of the command. */
  readonly command: string;
  /** For example `Terraform v1.11.4`. */
  readonly version: string;
  /** Where it comes from. */
  readonly origin: "the one on PATH" | "built from bench/terraform/opentofu/go.mod";
}

/** Finds the `terraform` on PATH, or else builds OpenTofu as `opentofu/go.mod` pins it. @throws Error if both fail. */
export async function findTerraform(): Promise<Terraform> {
  const installed = await versionOf("terraform");
  if (installed !== undefined) return { command: "terraform", version: installed, origin: "the one on PATH" };
  const command = await builtForBenchmark({
    folder: join(import.meta.dirname, "opentofu"),
    module: "github.com/opentofu/opentofu",
    program: "github.com/opentofu/opentofu/cmd/tofu",
  });
  const version = await versionOf(command);
  if (version === undefined)
    throw new Error(`${command} version does not print a version: remove this file, and try again.`);
  return { command, version, origin: "built from bench/terraform/opentofu/go.mod" };
}

async function versionOf(command: string): Promise<string | undefined> {
  const env = { ...process.env, CHECKPOINT_DISABLE: "1" };
  const { code, stdout } = await runCommand(command, ["version"], { env, timeLimitSeconds: 60 });
  return code === 0 ? /^(Terraform|OpenTofu) v\S+/m.exec(stdout)?.[0] : undefined;
}
