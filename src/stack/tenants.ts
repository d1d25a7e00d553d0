import type * as pulumi from "@pulumi/pulumi";
import type { ReleaseArgs, TenantArgs } from "../resources/tenant/resource.ts";
import type { TenantDeclaration } from "./declarations.ts";
import { decisive, type Layer, type Layers, merged, type Place } from "./layers.ts";
import { type SyncEntry, type TenantEntry, tenantEntrySchema } from "./schema.ts";
import { withSecrets } from "./secrets.ts";
import type { DeclaredSync } from "./syncs.ts";
import type { KeyPath } from "./yaml-file.ts";

/** A tenant of a stack, alone or in a fleet, with the defaults under it. */
export interface DeclaredTenant extends Pick<TenantDeclaration, "key" | "fleet"> {
  integration: string | number;
  /** In clear. */
  entry: Omit<TenantEntry, "integration" | "sync"> & { name: string };
  /** With its secrets as such. */
  args: Omit<TenantArgs, "integration" | "release"> & { release: pulumi.Input<ReleaseArgs> | undefined };
  /** The key of the build whose release it runs. */
  build: string | undefined;
  /** Where a part of it is declared. */
  placeOf(path: KeyPath): Place;
  /** Whether a part of it is declared as a secret. */
  isSecret(path: KeyPath): boolean;
}

/** A tenant that is a resource of its own. */
export interface StandaloneTenant extends DeclaredTenant {
  sync: DeclaredSync | undefined;
  /** The keys that it had before. */
  formerKeys: readonly string[];
  options: pulumi.CustomResourceOptions;
}

/** A tenant that is a resource of its own, of a stack whose config is in order. */
export function standaloneTenant(declaration: TenantDeclaration): StandaloneTenant[] {
  const { integration, sync, formerly, ...entry } = tenantEntrySchema.parse(merged(declaration.layers));
  if (integration === undefined) return [];
  return [
    {
      ...declaredTenant(declaration, integration, entry),
      sync: sync && sealedSync(sync, decisive(declaration.layers, ["sync"]), ["sync"]),
      formerKeys: [formerly ?? []].flat(),
      options: { aliases: aliases(formerly) },
    },
  ];
}

export function declaredTenant(
  { key, fleet, layers }: TenantDeclaration,
  integration: string | number,
  entry: Omit<TenantEntry, "integration" | "sync">,
): DeclaredTenant {
  const { build, ...release } = entry.release ?? {};
  const seal = sealer(layers);
  return {
    key,
    fleet,
    integration,
    entry: { ...entry, name: entry.name ?? key },
    args: {
      name: seal("name", entry.name),
      schedule: seal("schedule", entry.schedule),
      release: build === undefined && entry.release !== undefined ? seal("release", release) : undefined,
      paused: seal("paused", entry.paused),
      configs: seal("configs", entry.configs),
      metadata: seal("metadata", entry.metadata),
      adopt: seal("adopt", entry.adopt),
      forceArchive: seal("forceArchive", entry.forceArchive),
      onRemove: seal("onRemove", entry.onRemove),
    },
    build,
    placeOf: (path) => decisive(layers, path).placeOf(path),
    isSecret: (path) => decisive(layers, path).isSecret(path),
  };
}

/** A sync with its secrets as such. */
export function sealedSync<Sync extends Pick<SyncEntry, "payload" | "when">>(
  sync: Sync,
  layer: Layer,
  at: readonly [string, ...string[]],
): Omit<Sync, "payload" | "when"> & Pick<DeclaredSync, "payload" | "when"> {
  const { payload, when } = sync;
  return {
    ...sync,
    payload: withSecrets(payload, [...at, "payload"], layer.isSecret),
    when: withSecrets(when, [...at, "when"], layer.isSecret),
  };
}

/** The names that a resource had before. */
export function aliases(formerly: TenantEntry["formerly"] = []): pulumi.Alias[] {
  return [formerly].flat().map((name) => ({ name }));
}

function sealer(layers: Layers) {
  return <T>(setting: keyof TenantEntry, value: T | undefined) =>
    withSecrets(value, [setting], (path) => decisive(layers, path).isSecret(path));
}
