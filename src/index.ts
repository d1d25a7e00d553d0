/**
 * Pulumi resources for the tenants of an integration platform, and lookups of what is there.
 *
 * @module
 */
export * from "./lookups/index.ts";
export { Build, type BuildArgs } from "./resources/build/resource.ts";
export {
  FleetRollout,
  type FleetRolloutArgs,
  type GateArgs,
  type WaveArgs,
} from "./resources/fleet-rollout/resource.ts";
export { SyncTrigger, type SyncTriggerArgs } from "./resources/sync-trigger/resource.ts";
export {
  type AwaitedSetting,
  type OverrideArgs,
  type ReleaseArgs,
  Tenant,
  type TenantArgs,
} from "./resources/tenant/resource.ts";
export {
  type FleetTargetArgs,
  type FleetTenantArgs,
  TenantFleet,
  type TenantFleetArgs,
} from "./resources/tenant-fleet/resource.ts";
export { TenantMetadata, type TenantMetadataArgs } from "./resources/tenant-metadata/resource.ts";
