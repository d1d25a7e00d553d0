import type { Client, JsonObject, Release } from "../api/index.ts";
import {
  anyValue,
  compileReleaseSchema,
  type ReleaseSchema,
  UnusableSchemaError,
  uncheckableSchema,
} from "../json-schema/index.ts";
import { createSnapshot, type Snapshot } from "../snapshot/index.ts";
import { createMetadataOwnership, type MetadataOwnership } from "./metadata-ownership.ts";
import { createOwnership, type Ownership } from "./ownership.ts";
import type { ConnectorWords } from "./tenant/connection.ts";

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
  /** Which resource answers for which tenant. */
  ownership: Ownership;
  /** Which resource answers for which metadata. */
  metadataOwnership: MetadataOwnership;
  /** What the user says that the words for the status of a connector mean. */
  connectorWords: ConnectorWords;
  /** The words for the status of a connector in the answers to POST of this operation, by the id of the integration. */
  wordsOfNewTenants: Map<number, Set<string>>;
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
  /** How long no call may come until the program is taken to have declared everything. Default 0.3. */
  quietSeconds?: number;
  /** Default: the usual words only. */
  connectorWords?: ConnectorWords;
}

export function createPlatform({
  client,
  warn,
  settleSeconds = 10,
  keep = () => "(no file)",
  areLimitsLifted = false,
  quietSeconds,
  connectorWords = { connectedStatuses: [], notConnectedStatuses: [] },
}: PlatformOptions): Platform {
  const ownership = createOwnership(quietSeconds);
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
    ownership,
    metadataOwnership: createMetadataOwnership(ownership),
    connectorWords,
    wordsOfNewTenants: new Map(),
  };
}
