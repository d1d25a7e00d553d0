import { readFileSync, statSync } from "node:fs";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CommandOutcome, runCommand } from "../../engine/run-command.ts";
import { endProcesses } from "../processes.ts";
import { findTerraform } from "../terraform/find-terraform.ts";
import { findRestapiProvider } from "../terraform/restapi-provider.ts";
import {
  type Contender,
  type Contestant,
  type Setting,
  type StoredState,
  timeLimitSeconds,
  workloadFile,
} from "./contender.ts";

/**
 * Terraform or OpenTofu with the restapi provider. It uses additional routes that the platform's API does not have: see
 * `platform/routes-by-id.ts`. Like the other contenders it refreshes only in previews. Each tenant is one resource.
 */
export const terraformContender: Contender = {
  name: "terraform",
  roles: { engine: /^(\S*\/)?(terraform|tofu) /, program: /^$/, provider: /terraform-provider-restapi/ },
  backends: ["file"],
  engineLogs: ["on"],
  settings: async () => ({
    ...Object.fromEntries(Object.entries(commands).map(([name, args]) => [name, [...args, ...everyCommand].join(" ")])),
    parallelism: "the default, 10",
    state: "the default, terraform.tfstate in the working directory",
    ...fixedEnvironment,
    TF_CLI_CONFIG_FILE: "dev_overrides: the provider that was built, not one of a registry",
    provider: 'update_method = "PATCH", write_returns_object = true; routes by id that only this contender is given',
  }),
  open,
};

const commands = {
  up: ["apply", "-auto-approve", "-refresh=false"],
  preview: ["plan", "-detailed-exitcode"],
  destroy: ["destroy", "-auto-approve", "-refresh=false"],
};
const everyCommand = ["-no-color", "-input=false"];
const fixedEnvironment = { CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" };

async function open({ url, apiKey, env }: Setting): Promise<Contestant> {
  const { command } = await findTerraform();
  const provider = await findRestapiProvider();
  const directory = await mkdtemp(join(tmpdir(), "integration-platform-bench-"));
  const cliConfig = join(directory, "cli.tfrc");
  await copyFile(join(import.meta.dirname, "../terraform/main.tf"), join(directory, "main.tf"));
  await writeFile(cliConfig, cliConfigOf(dirname(provider)));

  const inherited = Object.entries(process.env).filter(([name]) => !/^(TF|TOFU)_/.test(name));
  const own = {
    ...Object.fromEntries(inherited),
    ...env,
    ...fixedEnvironment,
    TF_CLI_CONFIG_FILE: cliConfig,
    TF_VAR_address: url,
    TF_VAR_api_key: apiKey,
  };
  const ending = new AbortController();
  const run = (args: readonly string[]): Promise<CommandOutcome> =>
    runCommand(command, [...args, ...everyCommand], {
      cwd: directory,
      env: own,
      timeLimitSeconds,
      signal: ending.signal,
    });
  return {
    declare: (workload) => writeFile(join(directory, workloadFile), JSON.stringify(workload)),
    up: () => run(commands.up),
    preview: async () => {
      const outcome = await run(commands.preview);
      return { ...outcome, code: outcome.code === 2 ? 0 : outcome.code, hasFoundChanges: outcome.code === 2 };
    },
    destroy: () => run(commands.destroy),
    state: async () => storedState(join(directory, "terraform.tfstate")),
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      endProcesses(env);
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** A configuration that uses the built provider, without a registry. */
function cliConfigOf(folder: string): string {
  return `provider_installation {\n  dev_overrides {\n    "Mastercard/restapi" = ${JSON.stringify(folder)}\n  }\n}\n`;
}

function storedState(file: string): StoredState {
  const text = readFileSync(file, "utf8");
  return { jsonBytes: JSON.stringify(JSON.parse(text)).length, storedBytes: statSync(file).size };
}
