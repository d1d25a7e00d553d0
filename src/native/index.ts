/**
 * The same resources and lookups as `pulumi-integration-platform`, with resources whose code runs in the provider plugin
 * `integration-platform` instead of Pulumi's host of dynamic providers. Resources of the other kind become these without any
 * change on the platform when a program imports this module instead, and the reverse. See docs/guides/native.md.
 *
 * @module
 */
export * from "../index.ts";
export { Provider, type ProviderArgs } from "./provider.ts";
export { Build, FleetRollout, SyncTrigger, Tenant, TenantFleet, TenantMetadata } from "./resources.ts";
