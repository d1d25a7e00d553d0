/**
 * The typed client of the integration platform's management API; usable without Pulumi.
 *
 * @module
 */
export type { Builds, CreateBuild } from "./builds.ts";
export { type ClientOptions, normalizedAddress } from "./client-options.ts";
export {
  type Connectors,
  type ProxyRequest,
  type ProxyResponse,
  type ProxyRestRequest,
  proxyResponseSchema,
} from "./connectors.ts";
export { type Client, createClient } from "./create-client.ts";
export { errorMessageSchema, httpValidationErrorSchema } from "./error-body.ts";
export * from "./errors.ts";
export {
  type Integration,
  type IntegrationSyncRequest,
  type Integrations,
  integrationSchema,
  type ListIntegrationsQuery,
} from "./integrations.ts";
export {
  isDeeperThan,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonObjectSchema,
  jsonValueSchema,
  maxDepth,
} from "./json.ts";
export { createKnownSecrets, type KnownSecrets } from "./known-secrets.ts";
export type { ListQuery } from "./list-query.ts";
export { type Metadata, metadataSchema, type TenantMetadata } from "./metadata.ts";
export { asRead, withoutInexactNumbers } from "./number-sources.ts";
export { isExactNumber } from "./number-text.ts";
export { type Release, type Release as IntegrationRelease, type Releases, releaseSchema } from "./releases.ts";
export type { Runs } from "./runs.ts";
export {
  type ConnectorStatus,
  type CreateTenant,
  type Tenant,
  type TenantAuthStatus,
  type TenantPatch,
  type TenantStatus,
  tenantSchema,
} from "./tenant-schema.ts";
export type { ListTenantsQuery, TenantSyncRequest, Tenants } from "./tenants.ts";
export { type SyncMode, type Trigger, type TriggerStatus, triggerSchema, triggerStatusSchema } from "./triggers.ts";
export { formatPath } from "./wire-schema.ts";
