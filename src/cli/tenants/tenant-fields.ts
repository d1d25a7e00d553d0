import type { Release, Tenant } from "../../api/index.ts";
import type { JsonObject } from "../../json/json-value.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { isUnderWay, type RunFacts, runFacts } from "../../operation/run-record.ts";
import { canSync, neverRan, ownConnectors } from "../../operation/tenant-connection.ts";
import { unread } from "./where-operators.ts";

/** A tenant as `status --json` shows it and as `--where` sees it. Null is what the platform does not show or the tenant lacks. */
export interface TenantFields {
  id: number;
  name: string;
  /** Name of its integration. */
  integration: string;
  integrationId: number;
  /** Where it comes from: `api`, `marketplace` or another source that the platform adds. */
  source: string;
  createdAt: string | null;
  modifiedAt: string | null;
  /** Whether the connectors that a sync needs are connected. */
  connected: boolean | null;
  /** Whether the platform shows that it is not connected, never was and never ran. */
  neverConnected: boolean;
  paused: boolean;
  /** Whether its last run failed. */
  failing: boolean;
  /**
   * When its last success ended; if it never had one, when its last run began. Its first failure came later, or at that time.
   * ISO 8601; null also if it is not failing.
   */
  failingSince: string | null;
  /** The effective schedule, its own or the integration's. */
  schedule: string | null;
  ownSchedule: string | null;
  /** The release that it runs; `channel` if a channel selects that. */
  release: { id: number | null; tag: string | null; channel: string | null };
  /** `failed`: whether it ended as failed; never null, for conditions. */
  lastRun: (RunFields & { failed: boolean }) | null;
  /** The run that is under way. */
  currentRun: RunFields | null;
  lastSuccessfulRun: RunFields | null;
  configs: JsonObject;
  /** A symbol as long as they have not been read: they take a request for each tenant. */
  metadata: JsonObject | typeof unread;
}

/** What is known about a run; see {@link RunFacts}. */
type RunFields = { [Fact in keyof Required<RunFacts>]: Required<RunFacts>[Fact] | null };

/** The fields of a tenant. */
export function tenantFields(
  tenant: Tenant,
  scope: IntegrationScope,
  releases: ReleaseNames | undefined,
): TenantFields {
  const { status } = tenant;
  const connected = connectedOf(tenant, scope);
  const [last, current, succeeded] = [status?.last_run, status?.current_run, status?.last_successful_run].map(
    (run) => runFacts(run ?? {}, scope.runWords) ?? null,
  );
  const failing = last?.outcome === "failed";
  const lastRun = runFields(last);
  return {
    id: tenant.id,
    name: tenant.name,
    integration: scope.record.name,
    integrationId: scope.id,
    source: tenant.source,
    createdAt: tenant.created_date || null,
    modifiedAt: tenant.modified_date || null,
    connected,
    neverConnected: connected === false && isUntouched(tenant, scope),
    paused: tenant.paused,
    failing,
    failingSince: failing ? sinceOf(last, succeeded) : null,
    schedule: tenant.schedule || tenant.user_schedule || null,
    ownSchedule: tenant.user_schedule || null,
    release: releaseOf(tenant, releases),
    lastRun: lastRun && { ...lastRun, failed: failing },
    currentRun: current && isUnderWay(current) ? runFields(current) : null,
    lastSuccessfulRun: runFields(succeeded),
    configs: tenant.configs,
    metadata: unread,
  };
}

/** The releases of an integration by id, and the ids of those that its channels select. */
export interface ReleaseNames {
  byId: ReadonlyMap<number, Release>;
  ofChannel: ReadonlyMap<string, Release>;
}

const runKeys = ["id", "outcome", "status", "startedAt", "endedAt"];

/** The keys within each field; `any` if a tenant may have any. */
const keysOf: Record<keyof TenantFields, readonly string[] | "any"> = {
  id: [],
  name: [],
  integration: [],
  integrationId: [],
  source: [],
  createdAt: [],
  modifiedAt: [],
  connected: [],
  neverConnected: [],
  paused: [],
  failing: [],
  failingSince: [],
  schedule: [],
  ownSchedule: [],
  release: ["id", "tag", "channel"],
  lastRun: [...runKeys, "failed"],
  currentRun: runKeys,
  lastSuccessfulRun: runKeys,
  configs: "any",
  metadata: "any",
};

/** The names of all fields with known names, those within others too: `release.tag`. */
export const fieldNames: readonly string[] = Object.entries(keysOf).flatMap(([field, keys]) =>
  keys === "any" || keys.length === 0 ? [field] : keys.map((key) => `${field}.${key}`),
);

/** Whether the field depends on the words of connectors or of runs, which a stack may declare. */
export function dependsOnWords(path: string): boolean {
  return /^(connected|neverConnected|failing|failingSince|(last|current|lastSuccessful)Run)\b/.test(path);
}

/** Whether tenants can have a field of this name. */
export function isFieldName(path: string): boolean {
  const [field = "", ...keys] = path.split(".");
  const isFreeForm = Object.entries(keysOf).some(([name, within]) => name === field && within === "any");
  return isFreeForm || fieldNames.includes(path) || (keys.length === 0 && Object.hasOwn(keysOf, field));
}

/**
 * Whether what a sync needs is connected. The platform's own `connected` counts before the words of its connectors; null if it
 * shows neither.
 */
function connectedOf(tenant: Tenant, scope: IntegrationScope): boolean | null {
  const { kind } = canSync(tenant, scope);
  if (kind === "can") return true;
  return kind === "cannot" || tenant.status?.auth?.connected === false ? false : null;
}

function isUntouched(tenant: Tenant, { record }: IntegrationScope): boolean {
  return neverRan(tenant) && ownConnectors(tenant, record).every(({ last_change: change }) => !change);
}

function sinceOf(last: RunFacts | null | undefined, succeeded: RunFacts | null | undefined): string | null {
  if (succeeded) return succeeded.endedAt ?? succeeded.startedAt ?? null;
  return last?.startedAt ?? last?.endedAt ?? null;
}

function releaseOf(
  { integration_release_id: shownId, integration_release_channel: shownChannel }: Tenant,
  releases: ReleaseNames | undefined,
): TenantFields["release"] {
  const channel = shownChannel || null; // a platform may send "" for no channel
  const id = shownId ?? (channel === null ? undefined : releases?.ofChannel.get(channel)?.id) ?? null;
  return { id, tag: (id === null ? undefined : releases?.byId.get(id)?.tag) || null, channel };
}

function runFields(run: RunFacts | null | undefined): RunFields | null {
  if (!run) return null;
  const { id = null, outcome = null, status = null, startedAt = null, endedAt = null } = run;
  return { id, outcome, status, startedAt, endedAt };
}
