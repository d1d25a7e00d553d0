/**
 * A typed client of the integration platform's management API; usable without Pulumi.
 *
 * @module
 */
export type { JsonObject, JsonValue } from "../json/json-value.ts";
export type { Builds, CreateBuild } from "./builds.ts";
export type { ClientOptions } from "./client-options.ts";
export type { Connectors, ProxyRequest, ProxyResponse, ProxyRestRequest, ProxyXmlRequest } from "./connectors.ts";
export { type Client, createClient } from "./create-client.ts";
export * from "./errors.ts";
export type { Integration, IntegrationSyncRequest, Integrations, ListIntegrationsQuery } from "./integrations.ts";
export type { Metadata, TenantMetadata } from "./metadata.ts";
export type { ListQuery } from "./pages.ts";
export { agreeingResponses, clockToleranceSeconds, type DoubtedTime, type MachineClock } from "./platform-clock.ts";
export type { Release, Releases } from "./releases.ts";
export type { ListRunsQuery, Run, Runs, SyncMode, Trigger, TriggerStatus } from "./runs.ts";
export { createSecretRegistry, type SecretRegistry } from "./secret-registry.ts";
export type {
  ConnectorStatus,
  CreateTenant,
  Tenant,
  TenantAuthStatus,
  TenantPatch,
  TenantStatus,
} from "./tenant-schema.ts";
export type { ListTenantsQuery, TenantSyncRequest, Tenants } from "./tenants.ts";
