import type * as pulumi from "@pulumi/pulumi";
import { logicalName } from "../pulumi/logical-name.ts";
import { PlatformResource } from "../pulumi/platform-resource.ts";
import { secretPaths } from "../pulumi/secret-paths.ts";
import { refuseOwnMetadata } from "../tenant/declared-metadata.ts";

/** The arguments of a {@link TenantMetadata}. */
export interface TenantMetadataArgs {
  /** Id of the tenant. A change is a replacement: the keys are removed from the old tenant and set for the new one. */
  tenantId: pulumi.Input<number>;
  /**
   * Metadata keys, validated against the metadata schema of the tenant's release. The whole value of each declared key is
   * managed; undeclared keys are not changed. A key that is no longer declared is removed. Secrets may be at any depth.
   */
  data: pulumi.Input<Record<string, unknown>>;
}

/**
 * Metadata of a tenant that is managed elsewhere (specification, TenantMetadata). If this program manages the tenant, use
 * `metadata` of its {@link Tenant}; managing one tenant's metadata with both is an error. Deleting the resource removes the
 * declared keys. If the platform offers no way to remove them, or the write could destroy a hidden value, they stay, with a warning.
 *
 * @example
 * new TenantMetadata("acme-plan", { tenantId: 4711, data: { plan: "gold" } });
 */
export class TenantMetadata extends PlatformResource {
  declare readonly tenantId: pulumi.Output<number>;
  /** The declared keys. */
  declare readonly data: pulumi.Output<Record<string, unknown>>;

  constructor(name: string, args: TenantMetadataArgs, options: pulumi.CustomResourceOptions = {}) {
    refuseOwnMetadata(name, args.tenantId);
    super(
      { type: "TenantMetadata", provider: "tenantMetadata" },
      name,
      args,
      { tenantId: args.tenantId, data: args.data },
      () => ({ logicalName: logicalName(name, options), ...secretPaths({ data: args.data }) }),
      { deleteBeforeReplace: true, ...options },
    );
  }
}
