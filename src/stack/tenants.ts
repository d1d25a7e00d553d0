import type * as pulumi from "@pulumi/pulumi";
import { valueAt } from "../json-schema/index.ts";
import type { TenantArgs } from "../resources/tenant/resource.ts";
import { mergeEntry } from "./merge.ts";
import type { StackConfig, TenantDefaults, TenantEntry } from "./schema.ts";
import { withSecrets } from "./secrets.ts";
import type { ConfigPath, StackFile } from "./stack-file.ts";
import type { DeclaredSync } from "./syncs.ts";

/** A tenant of the stack's YAML, with the defaults under it. */
export interface DeclaredTenant {
  /** Its key: the name of the resource. */
  key: string;
  integration: string | number;
  /** In clear. */
  entry: TenantEntry & { name: string };
  /** With its secrets as such. */
  args: TenantArgs;
  /** The key of the build whose release it runs. */
  build: string | undefined;
  sync: DeclaredSync | undefined;
  options: pulumi.CustomResourceOptions;
  /** Where a part of it is declared: with the tenant, else with the defaults. */
  placeOf(path: ConfigPath): ConfigPath;
}

/** Without the file nobody knows which leaves are secret: then all of these are. */
const maybeSecret = ["configs", "metadata", "sync"];

/** The tenants of a stack whose config is in order. */
export function declaredTenants(
  { tenants = {}, tenantDefaults = {} }: StackConfig,
  fileOf: (key: PropertyKey | undefined) => StackFile | undefined,
): DeclaredTenant[] {
  const isSecret = (place: ConfigPath, setting: string) =>
    fileOf(place[0])?.isSecret(place) ?? maybeSecret.includes(setting);
  return Object.entries(tenants).flatMap(([key, own]) => declare(key, own, tenantDefaults, isSecret));
}

function declare(
  key: string,
  own: TenantEntry,
  defaults: TenantDefaults,
  isSecret: (place: ConfigPath, setting: string) => boolean,
): DeclaredTenant[] {
  const { formerly = [], name = key, integration, ...rest } = mergeEntry<TenantEntry>(defaults, own);
  const entry = { ...rest, name };
  if (integration === undefined) return [];
  const placeOf = (path: ConfigPath) => declaredAt(key, own, defaults, path);
  const { build, ...release } = entry.release ?? {};
  const seal = <T>(setting: keyof TenantEntry, value: T | undefined) =>
    withSecrets(value, [setting], (path) => isSecret(placeOf(path), setting));
  const tenant: DeclaredTenant = {
    key,
    integration,
    entry,
    args: {
      integration: seal("integration", integration) ?? integration,
      name: seal("name", entry.name),
      schedule: seal("schedule", entry.schedule),
      release: build === undefined && entry.release !== undefined ? seal("release", release) : undefined,
      paused: seal("paused", entry.paused),
      configs: seal("configs", entry.configs),
      metadata: seal("metadata", entry.metadata),
      adopt: seal("adopt", entry.adopt),
      forceArchive: seal("forceArchive", entry.forceArchive),
    },
    build,
    sync: entry.sync && {
      ...entry.sync,
      payload: withSecrets(entry.sync.payload, ["sync", "payload"], (path) => isSecret(placeOf(path), "sync")),
    },
    options: { aliases: [formerly].flat().map((former) => ({ name: former })) },
    placeOf,
  };
  return [tenant];
}

/** Where in the config a part of a tenant is declared: with the tenant, else with the defaults. */
export function declaredAt(key: string, own: object, defaults: object, path: ConfigPath): ConfigPath {
  const isDefault = valueAt(own, path) === undefined && valueAt(defaults, path) !== undefined;
  return isDefault ? ["tenantDefaults", ...path] : ["tenants", key, ...path];
}
