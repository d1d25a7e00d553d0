import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { valueAt } from "../json-schema/index.ts";
import { describeIssue } from "../resources/input-schema.ts";
import { unfitPart } from "./config-limits.ts";
import { crossChecks } from "./cross-checks.ts";
import { declarationsOf } from "./declarations.ts";
import { type DeclaredFleet, declaredFleet } from "./fleets.ts";
import { type Problem, refuse } from "./problems.ts";
import { type BuildEntry, fleetSchema, stackSchema } from "./schema.ts";
import { type ConfigPath, openStackFile } from "./stack-file.ts";
import { readTenantsFrom, type TenantsFile } from "./tenant-files.ts";
import { type StandaloneTenant, standaloneTenant } from "./tenants.ts";
import { type DeclaredReceiver, declaredReceiver, tokensInClear } from "./webhook-receiver.ts";
import { inexactNumber } from "./yaml-numbers.ts";

const namespace = "integration-platform";

/** What a stack's YAML declares, checked as far as it can be without a request. */
export interface Stack {
  /** The tenants that are resources of their own. */
  tenants: readonly StandaloneTenant[];
  fleets: readonly DeclaredFleet[];
  /** Its builds, by their keys. */
  builds: Readonly<Record<string, BuildEntry>>;
  webhookReceiver: DeclaredReceiver | undefined;
  /** The settings that may stand in clear although the release's schema calls them secrets. */
  allowPlaintextSecrets: readonly string[];
  /** The text of a key of the config namespace. */
  setting(key: string): string | undefined;
  /** Ends the program where there are problems, telling all of them with file, line and column. */
  refuse(problems: readonly Problem[]): void;
}

/**
 * Reads the config of the stack that runs. Throws a `RunError` with all problems at once.
 *
 * @param directory where Pulumi.yaml is.
 */
export function readStack(directory = projectDirectory()): Stack {
  const config = readConfig();
  const unfit = [...config].flatMap(([key, { value }]): Problem[] => {
    const part = unfitPart(value);
    return part ? [{ path: [key, ...part.path], reason: part.reason }] : [];
  });
  if (unfit.length > 0) refuse(unfit, () => `stack ${pulumi.getStack()}`);
  const file = openStackFile(join(directory, `Pulumi.${pulumi.getStack()}.yaml`));
  // config may come from elsewhere (`--config-file`): a file that says something else says nothing of places and secrets
  // asked once per key, as every leaf of every tenant wants to know
  const trusted = new Set([...config].flatMap(([key, { value }]) => (file?.agrees(key, value) ? [key] : [])));
  const fileOf = (key: PropertyKey | undefined) => (trusted.has(String(key)) ? file : undefined);
  const locate = (path: ConfigPath) => fileOf(path[0])?.locate(path) ?? `stack ${pulumi.getStack()}`;
  const refuseAt = (problems: readonly Problem[]) => refuse(problems, locate);

  const values = Object.fromEntries([...config].map(([key, { value }]) => [key, value]));
  const parsed = stackSchema.safeParse(values);
  const misshapen = parsed.error?.issues.flatMap((issue) => describeIssue(issue, stackSchema)) ?? [];
  const { tenantsFiles, problems } = readTenantsFiles(directory, values.fleets);
  const found = declarationsOf(values, { fileOf, tenantsFilesOf: (fleet) => tenantsFiles.get(fleet) ?? [] });
  const isNews = ({ path }: Problem) =>
    ![...misshapen, ...problems].some((other) => path.every((key, index) => key === other.path[index]));
  refuseAt([
    ...misshapen,
    ...problems,
    ...[...trusted].flatMap((key) => file?.inexactNumbers(key) ?? []).map((at) => ({ ...at, reason: inexactNumber })),
    ...crossChecks(found.tenants, Object.keys(Object(values.builds))).filter(isNews),
    ...tokensInClear(values.webhookReceiver, fileOf("webhookReceiver")).filter(isNews),
  ]);
  if (!parsed.success) throw parsed.error; // it has been refused above
  const { builds = {}, webhookReceiver, allowPlaintextSecrets = [] } = parsed.data;
  return {
    tenants: found.tenants.filter(({ fleet }) => fleet === undefined).flatMap(standaloneTenant),
    fleets: found.fleets.map((fleet) => declaredFleet(fleet, found.tenants)),
    builds,
    webhookReceiver: webhookReceiver && declaredReceiver(webhookReceiver, fileOf("webhookReceiver")),
    allowPlaintextSecrets: [allowPlaintextSecrets].flat(),
    setting: (key) => config.get(key)?.text,
    refuse: refuseAt,
  };
}

/** The files that the fleets name, by the keys of the fleets. */
function readTenantsFiles(directory: string, fleets: unknown) {
  const problems: Problem[] = [];
  const tenantsFiles = new Map<string, readonly TenantsFile[]>();
  for (const [key, fleet] of Object.entries(Object(fleets))) {
    const { data: tenantsFrom = [] } = fleetSchema.shape.tenantsFrom.safeParse(valueAt(fleet, ["tenantsFrom"]));
    const read = readTenantsFrom(directory, key, [tenantsFrom].flat());
    tenantsFiles.set(key, read.files);
    problems.push(...read.problems);
  }
  return { tenantsFiles, problems };
}

/** Where the project's Pulumi.yaml is: older language hosts do not tell, and then it is in or above the program's folder. */
function projectDirectory(): string {
  const told = pulumi.getRootDirectory();
  if (existsSync(told)) return told;
  let directory = process.cwd();
  while (!existsSync(join(directory, "Pulumi.yaml")) && directory !== dirname(directory))
    directory = dirname(directory);
  return directory;
}

/** The config namespace, by key: objects and lists reach a program as JSON. */
function readConfig(): Map<string, { text: string; value: unknown }> {
  const entries = Object.entries(pulumi.runtime.allConfig()).flatMap(([fullKey, text]) => {
    const [space, key] = fullKey.split(":");
    return space === namespace && key !== undefined ? ([[key, { text, value: parse(text) }]] as const) : [];
  });
  return new Map(entries);
}

function parse(text: string): unknown {
  if (!/^\s*[[{]|^null$/.test(text)) return text;
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return text;
  }
}
