import type { z } from "zod";
import { timestamp } from "../clock.ts";
import type { IntegrationRecord } from "../entities/integration.ts";
import type { ParsedSeed } from "../entities/seed.ts";
import { type TenantRecord, type TenantStatus, tenantFieldsSchema } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";
import { type JsonObject, jsonObjectSchema } from "../rules/json.ts";
import { NotFound } from "../rules/problems.ts";
import { changedAuth } from "./connection.ts";
import { authStatus, newTenant } from "./new-tenant.ts";
import { notify, tenantFields } from "./notify.ts";
import { writeTenant } from "./schedule.ts";

// What people do with tenants in the console and the marketplace. The rules of the API do not apply here, and readers see
// the changes at once in every variant.

type GivenTenant = ParsedSeed["tenants"][number];

/** The fields of a tenant that an administrator can change: all of them, and the metadata. */
export const tenantChangeSchema = tenantFieldsSchema.partial().extend({ metadata: jsonObjectSchema.nullish() });
type TenantChange = z.infer<typeof tenantChangeSchema>;

/**
 * Adds a tenant with any fields. The other fields are those of a tenant that POST creates ("seed"), or of one that a
 * user installs ("marketplace"): connected, not paused, with the source "marketplace". Both have the integration's
 * default release unless `given` selects another.
 *
 * @throws Error when the integration does not exist, or the id is taken.
 */
export function addTenant(platform: Platform, given: GivenTenant, origin: "seed" | "marketplace"): TenantRecord {
  const { integration: reference, metadata, ...fields } = given;
  const integration = findIntegration(platform, reference ?? fields.integration_id);
  if (fields.id !== undefined && platform.store.tenants.find(fields.id)) {
    throw new Error(`There is already a tenant ${fields.id}`);
  }
  const blank: TenantRecord = {
    ...newTenant(platform, integration, given.name),
    ...defaultRelease(integration, fields),
    ...(origin === "marketplace" ? installed(platform, integration) : {}),
  };
  return platform.store.transaction(() => {
    const tenant = writeFields(platform, blank, { ...fields, integration_id: integration.id, metadata });
    if (origin === "marketplace") notify(platform, "tenant_created", tenantFields(platform, tenant));
    return tenant;
  });
}

/**
 * Changes any fields of a tenant, live or archived. The keys of `status` are merged into the current status. `configs`
 * and `metadata` are replaced.
 *
 * @throws NotFound
 */
export function changeTenant(platform: Platform, id: number, change: TenantChange): TenantRecord {
  const before = requireAny(platform, id);
  return platform.store.transaction(() => {
    const tenant = writeFields(platform, before, { ...change, id });
    if (tenant.archived && !before.archived) notify(platform, "tenant_archived", tenantFields(platform, tenant));
    return tenant;
  });
}

/**
 * Sets the status of one of a tenant's connectors, as its user does by connecting or disconnecting it. The tenant is
 * connected when all its connectors are.
 *
 * @throws NotFound when there is no such tenant, or its integration has no such non-global connector.
 */
export function setConnectorStatus(platform: Platform, id: number, name: string, status: string): TenantRecord {
  const tenant = requireAny(platform, id);
  const connectors = platform.store.integrations.find(tenant.integration_id)?.connectors ?? [];
  if (!connectors.some((connector) => connector.name === name && !connector.isGlobal)) {
    throw new NotFound(`Tenant ${id} has no connector "${name}" of its own`);
  }
  const changed = { name, status, last_change: timestamp(platform.clock) };
  return changeTenant(platform, id, { status: { auth: changedAuth(platform, tenant, changed) } });
}

/** Everything that is stored about a tenant, unmasked, for tests that look behind the API. @throws NotFound */
export function inspectTenant(platform: Platform, id: number): TenantRecord & { metadata: JsonObject | null } {
  return { ...requireAny(platform, id), metadata: platform.store.metadata.find(id)?.data ?? null };
}

function writeFields(platform: Platform, current: TenantRecord, { metadata, ...fields }: TenantChange): TenantRecord {
  const now = timestamp(platform.clock);
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const status: TenantStatus | null | undefined = fields.status && { ...current.status, ...fields.status };
  const tenant: TenantRecord = { ...current, modified_date: now, ...given, ...(status ? { status } : {}) };
  writeTenant(platform, tenant);
  if (metadata !== undefined) {
    const created_date = platform.store.metadata.find(tenant.id)?.created_date ?? now;
    platform.store.metadata.write({ tenant_id: tenant.id, data: metadata, created_date, modified_date: now });
  }
  return tenant;
}

function requireAny({ store }: Platform, id: number): TenantRecord {
  const tenant = store.tenants.find(id);
  if (!tenant) throw new NotFound(`Tenant ${id} not found`);
  return tenant;
}

function findIntegration({ store }: Platform, reference: string | number | undefined): IntegrationRecord {
  const found =
    typeof reference === "number" ? store.integrations.find(reference) : store.integrations.findByName(reference ?? "");
  if (found) return found;
  if (reference === undefined) throw new Error("integration: pass the name or the id of an integration");
  throw new Error(`integration: there is no integration ${JSON.stringify(reference)}`);
}

function defaultRelease(integration: IntegrationRecord, given: TenantChange): Partial<TenantRecord> {
  if (given.integration_release_id !== undefined || given.integration_release_channel !== undefined) return {};
  const channel = integration.default_release_channel;
  if (channel !== null) return { integration_release_channel: channel };
  return { integration_release_id: integration.default_release_id };
}

function installed(platform: Platform, integration: IntegrationRecord): Partial<TenantRecord> {
  const auth = authStatus(integration, "connected", timestamp(platform.clock));
  return { paused: false, source: "marketplace", status: { ...blankRuns, auth } };
}

const blankRuns = { last_run: {}, current_run: {}, last_successful_run: {}, dynamic_configs: {} };
