import type { Client, JsonObject, Release } from "../api/index.ts";
import {
  anyValue,
  compileReleaseSchema,
  type ReleaseSchema,
  UnusableSchemaError,
  uncheckableSchema,
} from "../json-schema/index.ts";
import { createSnapshot, type Snapshot } from "../snapshot/index.ts";

/** What the lifecycles work on: the platform, what this operation knows of it, and a way to tell the user something. */
export interface Platform {
  client: Client;
  snapshot: Snapshot;
  /** The compiled config schema of a release; one that cannot be compiled is said once and then not checked. */
  configSchemaOf(release: Release | undefined): ReleaseSchema;
  /** The compiled metadata schema of a release, likewise. */
  metadataSchemaOf(release: Release | undefined): ReleaseSchema;
  /** Tells the user, once for each text. */
  warn(message: string): void;
  /** Keeps a text that is too long for a message, in a file; returns its path. */
  keep(name: string, text: string): string;
  /** Whether this run may exceed the limits of fleets. */
  areLimitsLifted: boolean;
  /** How long a write may take to show in a read, in seconds. */
  settleSeconds: number;
  /** Tenants that are being made or taken over: two resources must not do so with the same one at the same time. */
  inMaking: Set<string>;
  /** Tenant ids that a resource of this operation answers for: two resources must not take over the same tenant. */
  claimed: Set<number>;
  /** Tenant ids whose metadata a resource of this operation answers for, with the type of that resource. */
  metadataOwners: Map<number, "Tenant" | "TenantMetadata">;
}

export interface PlatformOptions {
  client: Client;
  warn: (message: string) => void;
  /** Default 10. */
  settleSeconds?: number;
  /** Default: nothing is kept, and the path says so. */
  keep?: (name: string, text: string) => string;
  /** Default false. */
  areLimitsLifted?: boolean;
}

export function createPlatform({
  client,
  warn,
  settleSeconds = 10,
  keep = () => "(no file)",
  areLimitsLifted = false,
}: PlatformOptions): Platform {
  const said = new Set<string>();
  const warnOnce = (message: string) => {
    if (said.has(message)) return;
    said.add(message);
    warn(message);
  };

  const compiled = new Map<string, ReleaseSchema>();
  const compile = (kind: string, release: Release, schema: JsonObject | null | undefined) => {
    if (schema === null || schema === undefined) return anyValue;
    const key = `${kind} ${release.id}`;
    const known = compiled.get(key) ?? compileOrWarn(kind, release, schema);
    compiled.set(key, known);
    return known;
  };
  const compileOrWarn = (kind: string, release: Release, schema: JsonObject) => {
    const warnOf = (reason: string) =>
      warnOnce(`the ${kind} schema of release ${release.id} (${release.name}) cannot be checked here: ${reason}`);
    try {
      return compileReleaseSchema(schema, { onGivenUp: warnOf });
    } catch (error) {
      if (!(error instanceof UnusableSchemaError)) throw error;
      warnOf(error.message);
      return uncheckableSchema(schema);
    }
  };

  return {
    client,
    snapshot: createSnapshot(client),
    configSchemaOf: (release) => (release ? compile("config", release, release.config_schema) : anyValue),
    metadataSchemaOf: (release) => (release ? compile("metadata", release, release.metadata_schema) : anyValue),
    warn: warnOnce,
    keep,
    areLimitsLifted,
    settleSeconds,
    inMaking: new Set(),
    claimed: new Set(),
    metadataOwners: new Map(),
  };
}
