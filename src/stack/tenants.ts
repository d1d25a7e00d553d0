import type * as pulumi from "@pulumi/pulumi";
import { valueAt } from "../json-schema/index.ts";
import { nameProblem } from "../resources/tenant/name.ts";
import type { TenantArgs } from "../resources/tenant/resource.ts";
import { scheduleProblem } from "../resources/tenant/schedule.ts";
import { mergeEntry } from "./merge.ts";
import type { Problem } from "./problems.ts";
import type { StackConfig, TenantDefaults, TenantEntry } from "./schema.ts";
import { withSecrets } from "./secrets.ts";
import type { ConfigPath, StackFile } from "./stack-file.ts";

/** A tenant of the stack's YAML, with the defaults under it. */
export interface DeclaredTenant {
  /** Its key: the name of the resource. */
  key: string;
  integration: string | number;
  /** In clear. */
  entry: TenantEntry & { name: string };
  /** With its secrets as such. */
  args: TenantArgs;
  options: pulumi.CustomResourceOptions;
  /** Where a part of it is declared: with the tenant, else with the defaults. */
  placeOf(path: ConfigPath): ConfigPath;
}

/** Without the file nobody knows which leaves are secret: then all of these are. */
const maybeSecret = ["configs", "metadata"];

/** The tenants of a stack, and what is wrong with them. */
export function declaredTenants(
  { tenants = {}, tenantDefaults = {} }: StackConfig,
  fileOf: (key: PropertyKey | undefined) => StackFile | undefined,
): { tenants: DeclaredTenant[]; problems: Problem[] } {
  const isSecret = (place: ConfigPath, setting: string) =>
    fileOf(place[0])?.isSecret(place) ?? maybeSecret.includes(setting);
  const all = Object.entries(tenants).map(([key, own]) => declare(key, own, tenantDefaults, isSecret));
  const declared = all.filter((tenant) => tenant !== undefined);
  const withoutIntegration = Object.keys(tenants).filter((_, index) => all[index] === undefined);
  return {
    tenants: declared,
    problems: [
      ...withoutIntegration.map((key) => ({
        path: ["tenants", key],
        reason: "has no integration: give it here or in tenantDefaults",
      })),
      ...declared.flatMap(textProblems),
      ...duplicates(declared),
    ],
  };
}

function declare(
  key: string,
  own: TenantEntry,
  defaults: TenantDefaults,
  isSecret: (place: ConfigPath, setting: string) => boolean,
): DeclaredTenant | undefined {
  const { formerly = [], name = key, integration, ...rest } = mergeEntry<TenantEntry>(defaults, own);
  const entry = { ...rest, name };
  if (integration === undefined) return undefined;
  const placeOf = (path: ConfigPath) =>
    valueAt(own, path) === undefined && valueAt(defaults, path) !== undefined
      ? ["tenantDefaults", ...path]
      : ["tenants", key, ...path];
  const seal = <T>(setting: keyof TenantEntry, value: T | undefined) =>
    withSecrets(value, [setting], (path) => isSecret(placeOf(path), setting));
  return {
    key,
    integration,
    entry,
    args: {
      integration,
      name: seal("name", entry.name),
      schedule: seal("schedule", entry.schedule),
      release: seal("release", entry.release),
      paused: seal("paused", entry.paused),
      configs: seal("configs", entry.configs),
      metadata: seal("metadata", entry.metadata),
      adopt: seal("adopt", entry.adopt),
      forceArchive: seal("forceArchive", entry.forceArchive),
    },
    options: { aliases: [formerly].flat().map((former) => ({ name: former })) },
    placeOf,
  };
}

/** A tenant that is taken over may bear a name and a schedule that a new one could not. */
function textProblems({ key, entry, placeOf }: DeclaredTenant): Problem[] {
  const { name, schedule, adopt = "safe" } = entry;
  if (adopt === true || typeof adopt === "number") return [];
  const nameReason = nameProblem(name);
  const scheduleReason = schedule === undefined ? undefined : scheduleProblem(schedule);
  return [
    ...(nameReason === undefined
      ? []
      : [{ path: name === key ? ["tenants", key] : placeOf(["name"]), reason: nameReason }]),
    ...(scheduleReason === undefined ? [] : [{ path: placeOf(["schedule"]), reason: scheduleReason }]),
  ];
}

function duplicates(tenants: readonly DeclaredTenant[]): Problem[] {
  const keyByTenant = new Map<string, string>();
  return tenants.flatMap(({ key, integration, entry }) => {
    const identity = JSON.stringify([integration, entry.name]);
    const other = keyByTenant.get(identity);
    keyByTenant.set(identity, other ?? key);
    if (other === undefined) return [];
    return [{ path: ["tenants", key], reason: `declares the tenant "${entry.name}" again: ${other} does already` }];
  });
}
