import * as pulumi from "@pulumi/pulumi";
import { logicalNameUnless } from "../logical-name.ts";
import { PlatformResource } from "../platform-resource.ts";
import { secretPaths } from "../secret-paths.ts";
import type { SyncTriggerArgs } from "../sync-trigger/resource.ts";
import type { ReleaseArgs, TenantArgs } from "../tenant/resource.ts";

/** A tenant's sync: see {@link SyncTriggerArgs}. What the tenant does not say, its fleet does. */
export type FleetSyncArgs = Partial<Omit<SyncTriggerArgs, "tenantId" | "integrationId" | "userName">>;

/** A tenant of a fleet: see {@link TenantArgs} for its settings. */
export interface FleetTenantArgs extends Omit<TenantArgs, "integration" | "release"> {
  /** Release to run: `{ id }`, `{ tag }` or `{ channel: "Latest" | "Default" }`. */
  release?: pulumi.Input<ReleaseArgs> | undefined;
  /** A key that this tenant had before, or several: renames it without archiving anything. */
  formerly?: string | string[] | undefined;
  /** A sync at creation, and whenever its triggers, mode or payload change. */
  sync?: FleetSyncArgs | undefined;
}

/** What is declared of a fleet. */
export interface TenantFleetArgs {
  /** Name or id of the integration. A change archives the tenants and makes others. */
  integration: pulumi.Input<string | number>;
  /** The tenants, by key. The key is the tenant's name, unless `name` says otherwise. */
  tenants: pulumi.Input<Record<string, pulumi.Input<FleetTenantArgs>>>;
  /** The name in messages. Default: the name of the resource. */
  name?: pulumi.Input<string> | undefined;
  /** For tenants that do not say: see {@link TenantArgs.adopt}. Default `"safe"`. */
  adopt?: TenantArgs["adopt"];
  /** For tenants that do not say: see {@link TenantArgs.forceArchive}. Default false. */
  forceArchive?: TenantArgs["forceArchive"];
  /** For tenants that do not say, also once they are no longer declared: see {@link TenantArgs.onRemove}. */
  onRemove?: TenantArgs["onRemove"];
  /**
   * Refuse an update that would archive or change more tenants than this, before anything is done: a number, or a share
   * of the tenants there are, such as `"20%"`, rounded up (`"0%"` allows none). A preview, refresh or drift report only
   * warns. Default: no limits. `INTEGRATION_PLATFORM_ALLOW_LIMITS=1` lifts them for one run. Removing the whole fleet is
   * no update: see Pulumi's option `protect`.
   */
  limits?: pulumi.Input<{ archive?: number | string | undefined; change?: number | string | undefined }> | undefined;
  /** A sync of each tenant, with what the tenant says of its own. Default: none but those that tenants declare. */
  sync?: FleetSyncArgs | undefined;
  /** How many syncs are asked for and waited on at once. Default 10. */
  syncsAtOnce?: pulumi.Input<number> | undefined;
}

/**
 * Many tenants of an integration in one resource, each brought about as a {@link Tenant} is. For thousands: the engine
 * writes its state once, not once per tenant, and still shows each tenant's changes by their paths.
 *
 * @example
 * new TenantFleet("billing", {
 *   integration: "crm-to-billing",
 *   tenants: { acme: { paused: false, configs: { region: "eu" } }, bluebird: { configs: { region: "us" } } },
 *   limits: { archive: 5, change: "20%" },
 * });
 */
export class TenantFleet extends PlatformResource {
  declare readonly integrationId: pulumi.Output<number>;
  /** The tenants as last observed, each with its `tenantId`. */
  declare readonly tenants: pulumi.Output<Record<string, FleetTenantArgs & { tenantId: number }>>;

  constructor(name: string, args: TenantFleetArgs, options: pulumi.CustomResourceOptions = {}) {
    super(
      { type: "TenantFleet", provider: "tenantFleet" },
      name,
      {
        integration: args.integration,
        name: args.name ?? name,
        tenants: withSecretPaths(args.tenants),
        adopt: args.adopt,
        forceArchive: args.forceArchive,
        onRemove: args.onRemove,
        limits: args.limits,
        sync: args.sync,
        syncsAtOnce: args.syncsAtOnce,
        logicalName: logicalNameUnless(args.name, name, options),
        ...secretPaths({ tenants: outputsAmong(args.tenants), sync: args.sync }),
        integrationId: undefined,
      },
      { deleteBeforeReplace: true, ...options },
    );
  }
}

/** Each tenant with its own {@link secretPaths}: in a list for all of them, one more tenant would move the others' places. */
function withSecretPaths(tenants: TenantFleetArgs["tenants"]): TenantFleetArgs["tenants"] {
  if (isLater(tenants)) return tenants;
  const entries = Object.entries(tenants).map(([key, entry]) => [
    key,
    isLater(entry) ? entry : { ...entry, ...secretPaths({ ...entry }) },
  ]);
  return Object.fromEntries(entries);
}

/** The tenants that are no plain objects: their paths can stand only beside them. */
function outputsAmong(tenants: TenantFleetArgs["tenants"]): unknown {
  if (isLater(tenants)) return tenants;
  return Object.fromEntries(Object.entries(tenants).filter(([, entry]) => isLater(entry)));
}

function isLater<T>(input: pulumi.Input<T>): input is Promise<T> | pulumi.OutputInstance<T> {
  return pulumi.Output.isInstance(input) || input instanceof Promise;
}
