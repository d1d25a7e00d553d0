import type { Client, Release, Tenant } from "../api/index.ts";
import type { Checkpoints } from "../connection/checkpoints.ts";
import type { JsonObject } from "../json/json-value.ts";
import {
  compileReleaseSchema,
  noSchema,
  type ReleaseSchema,
  UnusableSchemaError,
  uncheckedSchema,
} from "../json-schema/index.ts";
import type { PlatformAnswers } from "../platform-profile/questions.ts";
import { noSecretValues, type SecretValues } from "../secrets/secret-values.ts";
import type { SchemaViolations } from "../settings/schema-violations.ts";
import { createSnapshot, type Snapshot } from "../snapshot/index.ts";
import { once } from "../snapshot/once.ts";
import { type Claims, onOwnPlatform, ownClaims } from "./claims.ts";
import { createOwnership } from "./create-ownership.ts";
import { createLocks, type Locks } from "./locks.ts";
import { createMetadataOwnership, type MetadataOwnership } from "./metadata-ownership.ts";
import type { Owner, Ownership } from "./ownership.ts";
import { findTime, type PlatformTime } from "./platform-time.ts";
import type { PreviewedPlan } from "./previewed-plan.ts";
import type { RunWords } from "./run-outcome.ts";
import { readSettledTenants, type SettledTenants } from "./settled-tenants.ts";
import type { ConnectorWords } from "./tenant-connection.ts";
import { createTenantRuns, type TenantRuns } from "./tenant-runs.ts";

/** What the lifecycles share during one operation: the client, what is known about the platform, and output to the user. */
export interface OperationContext {
  client: Client;
  /** Aborted when the user cancels the operation: nothing new begins, and nobody waits any more. */
  signal: AbortSignal;
  snapshot: Snapshot;
  /** The lists of the tenants' runs, where the platform has them. */
  tenantRuns: TenantRuns;
  /** Asks what time it is, once per operation: see {@link findTime}. */
  findTime(): Promise<void>;
  /** Reads all tenants once per operation, after a wait: see {@link readSettledTenants}. */
  settledTenants(): Promise<SettledTenants>;
  /** The compiled config schema of a release. If it cannot be compiled, a warning is shown once and nothing is checked. */
  configSchemaOf(release: Release | undefined): ReleaseSchema;
  /** The compiled metadata schema of a release, with the same warning. */
  metadataSchemaOf(release: Release | undefined): ReleaseSchema;
  /** Tells the user what the operation does. The same message is shown only once. */
  note(message: string): void;
  /** Warns the user. The same message is shown only once. */
  warn(message: string): void;
  /** Tells the user that a resource takes over a tenant, which looks like a creation in the engine's output. */
  noteTakeOver(takeOver: TakeOverNote): void;
  /** Records that the tenant must not be archived, and why, as a read has found. Only `integration-platform drift` asks for it. */
  recordRefusal(refusal: ArchiveRefusal): void;
  /** Records values that a read could not compare, as their secrets were not resolved. Only `integration-platform drift` asks for it. */
  recordNotCompared(values: ValuesNotCompared): void;
  /** Records the platform's time. Only `integration-platform drift` asks for it. */
  recordTime(time: PlatformTime): void;
  /** Writes a text that is too long for a message to a file and returns its path. */
  writeReport(name: string, text: string): string;
  /** When the engine writes the state. */
  checkpoints: Checkpoints;
  /** Whether this run may exceed the limits of fleets. */
  areLimitsLifted: boolean;
  /** Whether the user says for this run that no tenant has a secret which nothing declares. */
  areAllSecretsDeclared: boolean;
  /** Whether the user says for this run that a tenant that no list shows does not exist. */
  areUnlistedGone: boolean;
  /** How long it may take until a read shows a write, in seconds. */
  consistencyTimeoutSeconds: number;
  /** How long a write waits for a tenant whose run is in progress, in seconds: as long as a run may take. */
  busyTimeoutSeconds: number;
  /** Called whenever a write begins to wait for a busy tenant. Work on many tenants goes on with another one then. */
  onBusy: Set<() => void>;
  /** Keep two resources from doing the same at once, such as creating or taking over the same tenant. */
  locks: Locks;
  /** Which resource owns which tenant. */
  ownership: Ownership;
  /** Which resource owns which metadata. */
  metadataOwnership: MetadataOwnership;
  /** The secrets to which settings refer. */
  secretValues: SecretValues;
  /** What a value is that violates a schema, unless the resource says otherwise. */
  schemaViolations: SchemaViolations;
  /** The meaning of the words for a connector's status, as configured by the user. */
  connectorWords: ConnectorWords;
  /** The meaning of the words for the status of a run, as configured by the user. */
  runWords: RunWords;
  /** What the profile of the platform says. A question without an answer keeps its safe rule: `platform-profile/questions.ts`. */
  platform: PlatformAnswers;
  /** The rollout plans that fleets are going to have, by their logical names. The engine checks a fleet before its rollout. */
  previewedPlans: Map<string, PreviewedPlan>;
  /**
   * For each new tenant: why its create would be refused now; `undefined` if it would not. A replacement asks before it archives
   * the tenant with the id.
   */
  createRefusals: Map<Owner, (archivedId: number) => Promise<string | undefined>>;
  /** The owners that the program declares of tenants whose owners in the state have other names, by the tenants' ids. */
  renamedOwners: Map<number, Owner>;
}

/** A tenant that must not be archived, and why. */
export interface ArchiveRefusal {
  tenantId: number;
  reason: string;
}

/** Values that a read could not compare, as their secrets were not resolved. */
export interface ValuesNotCompared {
  tenantId: number;
  /** For example `["configs", "api_token"]`. */
  paths: readonly (readonly string[])[];
}

/** A resource that takes over a tenant instead of creating one. */
export interface TakeOverNote {
  owner: Owner;
  /** The name that the resource declares. */
  name: string;
  tenant: Pick<Tenant, "id" | "name">;
  /** Whether the tenant differs from the one that the resource would create. */
  isOverwritten: boolean;
}

export interface OperationOptions {
  client: Client;
  /** The signal of the client. Default: a signal that is never aborted. */
  signal?: AbortSignal;
  warn: (message: string) => void;
  /** Default: notes are not shown. */
  note?: (message: string) => void;
  /** Default 10. A longer lag in the profile of the platform raises it. */
  consistencyTimeoutSeconds?: number;
  /** Default 600. */
  busyTimeoutSeconds?: number;
  /** Default: refusals are not recorded. */
  recordRefusal?: (refusal: ArchiveRefusal) => void;
  /** Default: they are not recorded. */
  recordNotCompared?: (values: ValuesNotCompared) => void;
  /** Default: times are not recorded. */
  recordTime?: (time: PlatformTime) => void;
  /** Default: no secret is resolved. */
  secretValues?: SecretValues;
  /** Default: no file is written, and the path is "(no file)". */
  writeReport?: (name: string, text: string) => string;
  /** Default: before and after each resource. */
  checkpoints?: Checkpoints;
  /** Default false. */
  areLimitsLifted?: boolean;
  /** Default false. */
  areAllSecretsDeclared?: boolean;
  /** Default false. */
  areUnlistedGone?: boolean;
  /** How many seconds without a call mean that the program has declared everything. Default 0.3. */
  quietSeconds?: number;
  /** Default "error". */
  schemaViolations?: SchemaViolations | undefined;
  /** Default: no words besides the built-in ones. */
  connectorWords?: ConnectorWords;
  /** Default: no words besides the built-in ones. */
  runWords?: RunWords;
  /** Default: nothing is known about the platform. */
  platform?: PlatformAnswers;
  /** What the provider processes of the operation tell each other. Default: this process is the only one. */
  claims?: Claims;
}

export function createOperationContext({
  client,
  signal = new AbortController().signal,
  warn,
  note = () => {},
  consistencyTimeoutSeconds: givenTimeoutSeconds = 10,
  busyTimeoutSeconds = 600,
  recordRefusal = () => {},
  recordNotCompared = () => {},
  recordTime = () => {},
  secretValues = noSecretValues,
  writeReport = () => "(no file)",
  checkpoints = { areLeftOut: false },
  areLimitsLifted = false,
  areAllSecretsDeclared = false,
  areUnlistedGone = false,
  quietSeconds,
  schemaViolations = "error",
  connectorWords = { connectedStatuses: [], notConnectedStatuses: [] },
  runWords = { succeededStatuses: [], failedStatuses: [] },
  platform = {},
  claims = ownClaims(),
}: OperationOptions): OperationContext {
  const consistencyTimeoutSeconds = Math.max(givenTimeoutSeconds, platform["reads.lagSeconds"] ?? 0);
  const ownership = createOwnership(claims, quietSeconds, signal);
  const locks = createLocks(onOwnPlatform(claims));
  const snapshot = createSnapshot(client);
  const [noteOnce, warnOnce] = [onlyNew(note), onlyNew(warn)];

  const compiled = new Map<string, ReleaseSchema>();
  const compile = (kind: string, release: Release, schema: JsonObject | null | undefined) => {
    if (schema === null || schema === undefined) return noSchema;
    const key = `${kind} ${release.id}`;
    const known = compiled.get(key) ?? compileOrWarn(kind, release, schema);
    compiled.set(key, known);
    return known;
  };
  const compileOrWarn = (kind: string, release: Release, schema: JsonObject) => {
    const warnOf = (reason: string) =>
      warnOnce(`the ${kind} schema of release ${release.id} (${release.name}) is not fully checked: ${reason}`);
    try {
      return compileReleaseSchema(schema, { onSkipped: warnOf });
    } catch (error) {
      if (!(error instanceof UnusableSchemaError)) throw error;
      warnOf(error.message);
      return uncheckedSchema(schema);
    }
  };

  return {
    client,
    signal,
    snapshot,
    tenantRuns: createTenantRuns(client),
    findTime: once(() => findTime({ client, snapshot, signal, warn: warnOnce })),
    settledTenants: once(() => readSettledTenants({ snapshot, consistencyTimeoutSeconds, signal })),
    configSchemaOf: (release) => (release ? compile("config", release, release.config_schema) : noSchema),
    metadataSchemaOf: (release) => (release ? compile("metadata", release, release.metadata_schema) : noSchema),
    note: noteOnce,
    warn: warnOnce,
    noteTakeOver: ({ name, tenant }) => {
      const formerName = tenant.name === name ? "" : `, which is named "${tenant.name}"`;
      noteOnce(`tenant "${name}": takes over ${tenant.id}${formerName}`);
    },
    recordRefusal,
    recordNotCompared,
    recordTime,
    secretValues,
    writeReport,
    checkpoints,
    areLimitsLifted,
    areAllSecretsDeclared,
    areUnlistedGone,
    consistencyTimeoutSeconds,
    busyTimeoutSeconds,
    onBusy: new Set(),
    locks,
    ownership,
    metadataOwnership: createMetadataOwnership(claims, ownership, locks),
    schemaViolations,
    connectorWords,
    runWords,
    platform,
    previewedPlans: new Map(),
    createRefusals: new Map(),
    renamedOwners: new Map(),
  };
}

/** The function, which is called only once for each message. */
export function onlyNew(show: (message: string) => void): (message: string) => void {
  const shown = new Set<string>();
  return (message) => {
    if (shown.has(message)) return;
    shown.add(message);
    show(message);
  };
}
