import { type Integration, NotFoundError, type Release, type Tenant } from "../../api/index.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { oneLine } from "../../json/one-line.ts";
import { type IntegrationScope, scopeOf } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { byName } from "../../resources/existing/unique-keys.ts";
import { CommandError } from "../subcommand.ts";
import { type Progress, withProgress } from "../terminal.ts";
import type { CommandContext } from "../with-platform.ts";
import { findIntegration } from "./find-integration.ts";
import { type ReleaseNames, type TenantFields, tenantFields } from "./tenant-fields.ts";
import { type Condition, parseWhere } from "./where.ts";

/** Which tenants a command is about. */
export interface Selection {
  /** Name or id of the integration, or `all`. */
  integration: string;
  /** The expression of `--where`. Default: all tenants. */
  where?: string | undefined;
  /** What the caller needs of the fields, whatever the expression asks for. Default: neither. */
  reads?: { releases?: boolean; metadata?: boolean };
}

/** A live tenant that a command is about. */
export interface SelectedTenant {
  tenant: Tenant;
  scope: IntegrationScope;
  /** `release.tag` is null and `metadata` is unread, unless the selection or the caller needs them. */
  fields: TenantFields;
}

/**
 * The live tenants of the selection, by the names of integrations and tenants. Metadata take a request for each tenant, so
 * they are read only of the tenants of which the rest of the expression does not decide: those of `paused and metadata.x == 1`
 * only if the tenant is paused.
 *
 * @throws UsageError if the expression is wrong.
 */
export async function selectTenants(
  context: CommandContext,
  { integration, where, reads = {} }: Selection,
): Promise<SelectedTenant[]> {
  const condition = where === undefined ? everyTenant : parseWhere(where);
  const needsReleases = reads.releases === true || condition.needsReleases;
  return withProgress(context.shell, "reading the tenants", async (progress) => {
    const groups = await tenantsByIntegration(context, integration);
    const all = groups.map(async ({ scope, tenants }) => {
      const releases = needsReleases && tenants.length > 0 ? await releaseNames(scope, tenants) : undefined;
      return tenants.map((tenant) => ({ tenant, scope, fields: tenantFields(tenant, scope, releases) }));
    });
    const candidates = (await Promise.all(all)).flat();
    return matching(context, candidates, { condition, needsMetadata: reads.metadata === true, progress });
  });
}

/**
 * That nobody is selected: an error for a command that acts, as a script that selects nobody has most likely a mistake in its
 * selection. A command that only reads shows that there is nobody.
 *
 * @param done what was not done: "paused".
 */
export function nobodySelected({ integration, where }: Selection, done: string, live = "live tenant"): CommandError {
  const subject = integration === "all" ? "the platform" : `integration "${oneLine(integration)}"`;
  const condition = where === undefined ? "" : " that matches --where";
  return new CommandError(`${subject} has no ${live}${condition}: nothing was ${done}`);
}

/** The live tenants of the integration with this name or id, or of `all`, by the names of integrations and tenants. */
export async function tenantsByIntegration(
  context: OperationContext,
  integration: string,
): Promise<{ scope: IntegrationScope; tenants: Tenant[] }[]> {
  const scopes = (await scopesOf(context, integration)).sort((left, right) => byName(left.record, right.record));
  const tenantsOf = async ({ tenants }: IntegrationScope) => [...(await tenants.all()).values()].sort(byName);
  return Promise.all(scopes.map(async (scope) => ({ scope, tenants: await tenantsOf(scope) })));
}

const everyTenant: Condition = { needsReleases: false, needsWords: false, isMet: () => true };

async function scopesOf(context: OperationContext, integration: string): Promise<IntegrationScope[]> {
  if (integration !== "all") return [await findIntegration(context, integration)];
  const all = [...(await archivedWithTenants(context)), ...(await context.snapshot.integrations.all())];
  const byId = new Map(all.map((record) => [record.id, record]));
  return [...byId.values()].map((record) => scopeOf(context, record));
}

/** The archived integrations that still have live tenants. */
async function archivedWithTenants({ snapshot }: OperationContext): Promise<Integration[]> {
  const archived = await snapshot.integrations.archived();
  if (archived.length === 0) return [];
  const tenants = [...(await snapshot.tenantsOf().all()).values()];
  const isShown = tenants.every(({ integration_id: id }) => id !== undefined);
  const withTenants = new Set(tenants.map(({ integration_id: id }) => id));
  if (isShown) return archived.filter(({ id }) => withTenants.has(id));
  const sizes = await Promise.all(archived.map(async ({ id }) => (await snapshot.tenantsOf(id).all()).size));
  return archived.filter((_, index) => sizes[index] !== 0);
}

async function releaseNames({ releases }: IntegrationScope, tenants: readonly Tenant[]): Promise<ReleaseNames> {
  const known = await releases.all();
  const unresolved = tenants.filter(({ integration_release_id: id }) => typeof id !== "number");
  const channels = new Set(unresolved.flatMap(({ integration_release_channel: channel }) => channel || []));
  const selected = [...channels].map(async (channel): Promise<[string, Release][]> => {
    const release = await releases.ofChannel(channel);
    return release === undefined ? [] : [[channel, release]];
  });
  const ofChannel = new Map((await Promise.all(selected)).flat());
  const all = [...known, ...ofChannel.values()];
  return { byId: new Map(all.map((release) => [release.id, release])), ofChannel };
}

async function matching(
  context: OperationContext,
  candidates: readonly SelectedTenant[],
  { condition, needsMetadata, progress }: { condition: Condition; needsMetadata: boolean; progress: Progress },
): Promise<SelectedTenant[]> {
  const judged = candidates.map((candidate) => ({ candidate, isMet: condition.isMet(candidate.fields) }));
  const isRead = ({ isMet }: { isMet: boolean | undefined }) => isMet === undefined || (isMet && needsMetadata);
  const all = judged.filter(isRead).length;
  let done = 0;
  const selected = judged.map(async ({ candidate, isMet }): Promise<SelectedTenant[]> => {
    if (!isRead({ isMet })) return isMet ? [candidate] : [];
    const fields = { ...candidate.fields, metadata: await metadataOf(context, candidate.tenant) };
    done += 1;
    progress.show(`reading metadata: ${done} of ${all} tenants`);
    return condition.isMet(fields) ? [{ ...candidate, fields }] : [];
  });
  return (await Promise.all(selected)).flat();
}

/** The metadata of a tenant that has just been listed. A 404 means that it has none (specification, Errors). */
async function metadataOf({ client }: OperationContext, { id }: Tenant): Promise<JsonObject> {
  try {
    return (await client.metadata.get(id)).data;
  } catch (error) {
    if (error instanceof NotFoundError) return {};
    throw error;
  }
}
