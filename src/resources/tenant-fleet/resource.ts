import * as pulumi from "@pulumi/pulumi";
import { providerText } from "../provider-text.ts";
import { secretPaths } from "../secret-paths.ts";
import type { TenantArgs } from "../tenant/resource.ts";

/** A tenant of a fleet: see {@link TenantArgs} for its settings. */
export interface FleetTenantArgs extends Omit<TenantArgs, "integration"> {
  /** What to do with the tenant once it is no longer declared. Default: the fleet's. */
  onRemove?: "archive" | "forget" | undefined;
}

/** What is declared of a fleet. */
export interface TenantFleetArgs {
  /** Name or id of the integration. A change archives the tenants and makes others. */
  integration: pulumi.Input<string | number>;
  /** The tenants, by key. The key is the tenant's name, unless `name` says otherwise. */
  tenants: pulumi.Input<Record<string, pulumi.Input<FleetTenantArgs>>>;
  /** For tenants that do not say: see {@link TenantArgs.adopt}. Default `"safe"`. */
  adopt?: TenantArgs["adopt"];
  /** For tenants that do not say: see {@link TenantArgs.forceArchive}. Default false. */
  forceArchive?: TenantArgs["forceArchive"];
  /**
   * What to do with a tenant that is no longer declared: `"archive"` (default), or `"forget"`, which leaves it on the
   * platform, for another resource to take over. It counts from the `up` after it was set.
   */
  onRemove?: pulumi.Input<"archive" | "forget"> | undefined;
  /**
   * Refuse an update that would archive or change more tenants than this, before any request: a number, or a share of
   * the tenants there are, such as `"20%"`. Default: no limits. `INTEGRATION_PLATFORM_ALLOW_LIMITS=1` lifts them for
   * one run.
   */
  limits?: pulumi.Input<{ archive?: number | string | undefined; change?: number | string | undefined }> | undefined;
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
export class TenantFleet extends pulumi.CustomResource {
  declare readonly integrationId: pulumi.Output<number>;
  /** The tenants as last observed, each with its `tenantId`. */
  declare readonly tenants: pulumi.Output<Record<string, FleetTenantArgs & { tenantId: number }>>;

  constructor(name: string, args: TenantFleetArgs, options: pulumi.CustomResourceOptions = {}) {
    super(
      "pulumi-nodejs:dynamic/integration-platform:TenantFleet",
      name,
      {
        integration: args.integration,
        tenants: args.tenants,
        adopt: args.adopt,
        forceArchive: args.forceArchive,
        onRemove: args.onRemove,
        limits: args.limits,
        ...secretPaths({ tenants: args.tenants }),
        integrationId: undefined,
        __provider: providerText("tenantFleet"),
      },
      { deleteBeforeReplace: true, ...options },
    );
  }
}
