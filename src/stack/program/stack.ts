import { dirname } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { ProviderChoice } from "../../resources/pulumi/type-token.ts";
import { checkConfig } from "../checks/check-config.ts";
import type { ConfigNode } from "../config/config-node.ts";
import type { Declarations } from "../declarations/declarations.ts";
import type { BuildEntry, StackSettings } from "../declarations/schema.ts";
import { type Project, projectOf } from "../yaml/project.ts";
import { type DeclaredFleet, declaredFleets } from "./fleets.ts";
import { readStackConfig } from "./stack-config.ts";
import { type StandaloneTenant, standaloneTenants } from "./tenants.ts";
import { throwIfAny } from "./throw-if-any.ts";
import { type DeclaredReceiver, declaredReceiver } from "./webhook-receiver.ts";

/** What a stack declares, checked as far as it can be without a request. */
export interface Stack {
  /** The folder of Pulumi.yaml. */
  directory: string;
  /** The provider of the resources: the dynamic or the native one. */
  provider: ProviderChoice;
  /** The tenants that are resources of their own. */
  tenants: readonly StandaloneTenant[];
  fleets: readonly DeclaredFleet[];
  builds: Readonly<Record<string, BuildEntry>>;
  webhookReceiver: DeclaredReceiver | undefined;
  /** The settings that may be plaintext although the release's schema marks them as secrets. */
  allowPlaintextSecrets: readonly string[];
  /** What a value is that violates a schema of a release, unless a tenant or a fleet says otherwise. */
  schemaViolations: StackSettings["schemaViolations"];
  /** Whether the tenants of the state may all be archived because the stack declares none. */
  allowNoTenants: boolean;
  /** The declarations from which `tenants` and `fleets` were made. The checks on the platform need them. */
  declarations: Declarations;
  /** The whole config. Each value knows the place where it is declared. */
  config: ConfigNode;
  /** The engine's string for a key of the config namespace, such as that of `baseUrl`. */
  configText(key: string): string | undefined;
}

/**
 * Reads and checks the config of the stack that runs.
 *
 * @param folder the folder of Pulumi.yaml, or one below it. Default: that of the project that runs.
 * @throws pulumi.RunError with all problems at once.
 */
export function readStack(folder?: string): Stack {
  const project = folder === undefined ? runningProject() : projectOf(folder);
  const stackConfig = readStackConfig(project);
  const { config, settings, declarations, problems } = checkConfig(stackConfig, project.directory);
  throwIfAny(problems);
  const { provider = "dynamic", builds = {}, webhookReceiver, allowPlaintextSecrets = [], allowNoTenants } = settings;
  return {
    directory: project.directory,
    provider,
    tenants: declarations.standalone.flatMap(standaloneTenants),
    fleets: declarations.fleets.flatMap(declaredFleets),
    builds,
    webhookReceiver: webhookReceiver && declaredReceiver(webhookReceiver, config.part("webhookReceiver")),
    allowPlaintextSecrets: [allowPlaintextSecrets].flat(),
    schemaViolations: settings.schemaViolations,
    allowNoTenants: String(allowNoTenants) === "true",
    declarations,
    config,
    configText: stackConfig.textOf,
  };
}

/** The project that runs. Older language hosts do not pass its folder: then it is that of the program, or above it. */
function runningProject(): Project {
  const name = pulumi.getProject();
  const project = projectNamed(name, pulumi.getRootDirectory()) ?? projectNamed(name, process.cwd());
  if (project !== undefined) return project;
  throw new pulumi.RunError(
    `there is no Pulumi.yaml of the project ${name} in ${process.cwd()} or above it, and this version of Pulumi does not say ` +
      "where it is. Set PULUMI_NODEJS_ROOT_DIRECTORY to its folder, or move the program into it. Nothing has been changed",
  );
}

/** The nearest project of this name, in the folder or above it. One whose file has problems may be it: they are shown later. */
function projectNamed(name: string, folder: string): Project | undefined {
  const project = projectOf(folder);
  if (project.file === undefined) return undefined;
  if (project.name === name || project.file.problems.length > 0) return project;
  const parent = dirname(project.directory);
  return parent === project.directory ? undefined : projectNamed(name, parent);
}
