import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { ProviderChoice } from "../../resources/pulumi/type-token.ts";
import { checkConfig } from "../checks/check-config.ts";
import type { ConfigNode } from "../config/config-node.ts";
import type { Declarations } from "../declarations/declarations.ts";
import type { BuildEntry } from "../declarations/schema.ts";
import { type DeclaredFleet, declaredFleet } from "./fleets.ts";
import { refuse } from "./refuse.ts";
import { readStackConfig } from "./stack-config.ts";
import { type StandaloneTenant, standaloneTenant } from "./tenants.ts";
import { type DeclaredReceiver, declaredReceiver } from "./webhook-receiver.ts";

/** What a stack declares, checked as far as it can be without a request. */
export interface Stack {
  /** Who runs the code of the resources. */
  provider: ProviderChoice;
  /** The tenants that are resources of their own. */
  tenants: readonly StandaloneTenant[];
  fleets: readonly DeclaredFleet[];
  builds: Readonly<Record<string, BuildEntry>>;
  webhookReceiver: DeclaredReceiver | undefined;
  /** The settings that may be plaintext although the release's schema marks them as secrets. */
  allowPlaintextSecrets: readonly string[];
  /** What it declares, as it was read. */
  declarations: Declarations;
  /** All of its config, with places. */
  config: ConfigNode;
  /** The string that the engine has for a key of the config namespace. */
  setting(key: string): string | undefined;
}

/**
 * Reads the config of the stack that runs. Throws a `RunError` with all problems at once.
 *
 * @param directory where Pulumi.yaml is.
 */
export function readStack(directory = projectDirectory()): Stack {
  const stackConfig = readStackConfig(join(directory, `Pulumi.${pulumi.getStack()}.yaml`));
  const { config, settings, declarations, problems } = checkConfig(stackConfig, directory);
  refuse(problems);
  const { provider = "dynamic", builds = {}, webhookReceiver, allowPlaintextSecrets = [] } = settings;
  return {
    provider,
    tenants: declarations.standalone.flatMap(standaloneTenant),
    fleets: declarations.fleets.flatMap(declaredFleet),
    builds,
    webhookReceiver: webhookReceiver && declaredReceiver(webhookReceiver, config.part("webhookReceiver")),
    allowPlaintextSecrets: [allowPlaintextSecrets].flat(),
    declarations,
    config,
    setting: stackConfig.textOf,
  };
}

/** The folder of Pulumi.yaml. Older language hosts do not give it: then it is the program's folder or one above. */
function projectDirectory(): string {
  const given = pulumi.getRootDirectory();
  if (existsSync(given)) return given;
  let directory = process.cwd();
  while (!existsSync(join(directory, "Pulumi.yaml")) && directory !== dirname(directory)) {
    directory = dirname(directory);
  }
  return directory;
}
