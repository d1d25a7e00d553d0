/**
 * Pulumi resources for the tenants of an integration platform.
 *
 * @module
 */
export { type ReleaseArgs, Tenant, type TenantArgs } from "./resources/tenant/resource.ts";
export { TenantMetadata, type TenantMetadataArgs } from "./resources/tenant-metadata/resource.ts";
