import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { ConfigNode } from "./config-node.ts";
import { crossChecks } from "./cross-checks.ts";
import { readDeclarations } from "./declarations.ts";
import { type DeclaredFleet, declaredFleet } from "./fleets.ts";
import { refuse, schemaProblems, withoutConsequences } from "./problems.ts";
import { type BuildEntry, stackSchema } from "./schema.ts";
import { readStackConfig } from "./stack-config.ts";
import { type StandaloneTenant, standaloneTenant } from "./tenants.ts";
import { type DeclaredReceiver, declaredReceiver, plaintextTokens } from "./webhook-receiver.ts";

/** What a stack declares, checked as far as it can be without a request. */
export interface Stack {
  /** The tenants that are resources of their own. */
  tenants: readonly StandaloneTenant[];
  fleets: readonly DeclaredFleet[];
  builds: Readonly<Record<string, BuildEntry>>;
  webhookReceiver: DeclaredReceiver | undefined;
  /** The settings that may be plaintext although the release's schema marks them as secrets. */
  allowPlaintextSecrets: readonly string[];
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
  const { root: config, problems, textOf } = readStackConfig(join(directory, `Pulumi.${pulumi.getStack()}.yaml`));
  const parsed = stackSchema.safeParse(config.value);
  const { standalone, fleets, problems: entryProblems } = readDeclarations(config, directory);
  const tenants = [...standalone, ...fleets.flatMap((fleet) => fleet.tenants)];
  const receiver = config.part("webhookReceiver");
  const shapeProblems = [...schemaProblems(parsed.error, stackSchema, config), ...entryProblems];
  const builds = Object.keys(Object(config.part("builds")?.value));
  const others = [...crossChecks(tenants, builds), ...plaintextTokens(receiver)];
  refuse([...problems, ...shapeProblems, ...withoutConsequences(others, shapeProblems)]);
  if (!parsed.success) throw parsed.error; // It has been refused above.
  return {
    tenants: standalone.flatMap(standaloneTenant),
    fleets: fleets.flatMap(declaredFleet),
    builds: parsed.data.builds ?? {},
    webhookReceiver: parsed.data.webhookReceiver && declaredReceiver(parsed.data.webhookReceiver, receiver),
    allowPlaintextSecrets: [parsed.data.allowPlaintextSecrets ?? []].flat(),
    config,
    setting: textOf,
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
