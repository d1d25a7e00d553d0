import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../../json/json-value.ts";
import { warnOfLatestInProduction } from "../pulumi/latest-in-production.ts";
import { logicalNameUnless } from "../pulumi/logical-name.ts";
import { PlatformResource } from "../pulumi/platform-resource.ts";
import { secretPaths } from "../pulumi/secret-paths.ts";
import type { SyncTriggerArgs } from "../sync-trigger/resource.ts";
import type { AwaitedSetting, ReleaseArgs, TenantArgs } from "../tenant/resource.ts";
import type { RolloutPlan } from "./rollout-plan.ts";

/** The sync of a tenant: see {@link SyncTriggerArgs}. The fleet's `sync` has the defaults. */
export type FleetSyncArgs = Partial<Omit<SyncTriggerArgs, "tenantId" | "integrationId" | "userName" | "override">>;

/** A tenant of a fleet: see {@link TenantArgs} for its settings. */
export interface FleetTenantArgs extends Omit<TenantArgs, "integration" | "name" | "release"> {
  /** Name of the tenant, as in {@link TenantArgs.name}. Default: its key. A change renames the tenant in place. */
  name?: pulumi.Input<string> | undefined;
  /** Release to run: `{ id }`, `{ tag }` or `{ channel: "Latest" | "Default" }`. */
  release?: pulumi.Input<ReleaseArgs> | undefined;
  /** Former keys of this tenant. With them, a change of the key keeps the tenant instead of archiving it. */
  aliases?: string[] | undefined;
  /**
   * Whether the tenant stays on the platform when it is removed from the fleet or the fleet is deleted. Default: the fleet's
   * `retainOnDelete`, otherwise false, which archives the tenant. Set it in one `up` before the one that removes the tenant.
   * Pulumi's option of the same name applies only to the whole fleet.
   */
  retainOnDelete?: pulumi.Input<boolean> | undefined;
  /** A sync of this tenant at its creation and whenever the triggers, mode or payload change. Default: the fleet's `sync`. */
  sync?: FleetSyncArgs | undefined;
}

/** The maximum number of tenants that one update of a fleet may archive or change. */
export interface FleetLimitsArgs {
  /** The maximum number of tenants to archive: a number, or a percentage of the tenants in the state such as `"20%"`. */
  archive?: number | string | undefined;
  /** The maximum number of tenants to change: a number, or a percentage of the tenants in the state such as `"20%"`. */
  change?: number | string | undefined;
}

/** Which release a `FleetRollout` takes the fleet's tenants to. */
export interface FleetTargetArgs {
  /** The release: `{ tag }` or `{ id }`. Change it to begin a rollout, or change it back to undo one. */
  release: pulumi.Input<Omit<ReleaseArgs, "channel">>;
  /** Raise it to try a failed release again. Default 1. */
  attempt?: pulumi.Input<number> | undefined;
  /** Keys of tenants whose release is not managed. */
  exclude?: pulumi.Input<string[]> | undefined;
}

/** The arguments of a {@link TenantFleet}. */
export interface TenantFleetArgs {
  /** Name or id of the integration. A change replaces the fleet: its tenants are archived, and new ones are created. */
  integration: pulumi.Input<string | number>;
  /** The tenants by key. The key is the default for a tenant's `name`. */
  tenants: pulumi.Input<Record<string, pulumi.Input<FleetTenantArgs>>>;
  /** Name of the fleet in messages. Default: the name of the resource. */
  name?: pulumi.Input<string> | undefined;
  /** Default for tenants that don't set it: see {@link TenantArgs.adopt}. Default `"safe"`. */
  adopt?: TenantArgs["adopt"];
  /** Default for tenants that don't set it: see {@link TenantArgs.forceArchive}. Default false. */
  forceArchive?: TenantArgs["forceArchive"];
  /** Default for tenants that don't set it, including removed ones: see {@link FleetTenantArgs.retainOnDelete}. */
  retainOnDelete?: pulumi.Input<boolean> | undefined;
  /**
   * Default for tenants that don't set it: see {@link TenantArgs.override}. Pausing and restoring tenants does not count for
   * `limits`.
   */
  override?: TenantArgs["override"];
  /** Default for tenants that don't set it: see {@link TenantArgs.schemaViolations}. */
  schemaViolations?: TenantArgs["schemaViolations"];
  /**
   * The maximum number of tenants that one update may archive or change. An update that exceeds a limit is an error, and
   * nothing is changed; a preview, refresh or drift report only warns. A limit is a number, or a percentage of the tenants
   * in the state, such as `"20%"`, rounded up (`"0%"` allows none). Default: no limits.
   * `INTEGRATION_PLATFORM_ALLOW_LIMITS=1` turns the limits off for one run. The limits do not apply to the deletion of the
   * whole fleet; use Pulumi's option `protect` for that.
   */
  limits?: pulumi.Input<FleetLimitsArgs> | undefined;
  /** A sync of each tenant. A tenant's own `sync` overrides single arguments. Default: only tenants with a `sync` have one. */
  sync?: FleetSyncArgs | undefined;
  /** The maximum number of concurrent syncs. Default 10. */
  syncConcurrency?: pulumi.Input<number> | undefined;
  /**
   * Which release a `FleetRollout` takes the tenants to. With it, the fleet itself changes only the release of tenants that
   * declare a `release` of their own. Default: the fleet manages the releases, all at once.
   */
  rollout?: pulumi.Input<FleetTargetArgs> | undefined;
}

/**
 * Many tenants of an integration in one resource (specification, Tenant). Each is applied like a {@link Tenant}. A fleet is
 * faster than thousands of `Tenant` resources, because Pulumi writes its state once. Previews show each tenant's changes by
 * path. The failure of one tenant does not stop the others. Deleting the resource archives the tenants.
 *
 * @example
 * new TenantFleet("billing", {
 *   integration: "crm-to-billing",
 *   tenants: { acme: { paused: false, configs: { region: "eu" } }, bluebird: { configs: { region: "us" } } },
 *   limits: { archive: 5, change: "20%" },
 * });
 */
export class TenantFleet extends PlatformResource {
  /** Name of the fleet. */
  declare readonly name: pulumi.Output<string>;
  /** Id of the integration. */
  declare readonly integrationId: pulumi.Output<number>;
  /**
   * The tenants as last observed, each with its `tenantId`. A preview that changes the fleet does not know them; on the native
   * provider, it knows their ids.
   */
  declare readonly tenants: pulumi.Output<
    Record<
      string,
      FleetTenantArgs & { tenantId: number; overridden?: { paused: boolean }; waitingFor?: AwaitedSetting[] }
    >
  >;
  /**
   * The ids of the tenants by key. A preview that changes the fleet does not know them; on the native provider, it knows those
   * of existing tenants.
   */
  declare readonly tenantIds: pulumi.Output<Record<string, number>>;
  /** What the fleet's `FleetRollout` moves. A preview that changes the fleet does not know it. */
  declare readonly rolloutPlan: pulumi.Output<RolloutPlan | undefined>;

  constructor(name: string, args: TenantFleetArgs, options: pulumi.CustomResourceOptions = {}) {
    super(
      { type: "TenantFleet", provider: "tenantFleet" },
      name,
      args,
      {
        integration: args.integration,
        name: args.name,
        tenants: args.tenants,
        adopt: args.adopt,
        forceArchive: args.forceArchive,
        retainOnDelete: args.retainOnDelete,
        override: args.override,
        schemaViolations: args.schemaViolations,
        limits: args.limits,
        sync: args.sync,
        syncConcurrency: args.syncConcurrency,
        rollout: args.rollout,
        integrationId: undefined,
        tenantIds: undefined,
        rolloutPlan: undefined,
      },
      () => ({
        name: args.name ?? name,
        tenants: withSecretPaths(args.tenants),
        logicalName: logicalNameUnless(args.name, name, options),
        ...secretPaths({ tenants: outputsAmong(args.tenants), sync: args.sync }),
      }),
      { deleteBeforeReplace: true, ...options },
    );
    warnOfLatestInProduction(new.target.providerChoice, isLater(args.tenants) ? {} : args);
    // in a preview of a change, the engine returns the inputs as the outputs, in which the tenants have no ids
    const { tenants, tenantIds } = this;
    this.tenants = tenantIds.apply(() => tenants);
    // a state that an older version wrote has no ids of its own until a refresh or a change
    this.tenantIds = tenantIds.apply((ids) => pulumi.output(ids ?? tenants.apply(idsOf)));
  }
}

function idsOf(tenants: Record<string, { tenantId: number }> | undefined): Record<string, number> {
  return Object.fromEntries(Object.entries(tenants ?? {}).map(([key, { tenantId }]) => [key, tenantId]));
}

/** Adds each tenant's {@link secretPaths} to the tenant. In one list for all, a new tenant would change the others' indexes. */
function withSecretPaths(tenants: TenantFleetArgs["tenants"]): TenantFleetArgs["tenants"] {
  if (isLater(tenants) || !isObject(tenants)) return tenants;
  const entries = Object.entries(tenants).map(([key, entry]) => [
    key,
    isLater(entry) || !isObject(entry) ? entry : { ...entry, ...secretPaths({ ...entry }) },
  ]);
  return Object.fromEntries(entries);
}

/** The tenants that are outputs. Their secret paths can only be stored at the fleet. */
function outputsAmong(tenants: TenantFleetArgs["tenants"]): unknown {
  if (isLater(tenants) || !isObject(tenants)) return tenants;
  return Object.fromEntries(Object.entries(tenants).filter(([, entry]) => isLater(entry)));
}

function isLater<T>(input: pulumi.Input<T>): input is Promise<T> | pulumi.OutputInstance<T> {
  return pulumi.Output.isInstance(input) || input instanceof Promise;
}
