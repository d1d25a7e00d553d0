import type * as pulumi from "@pulumi/pulumi";
import { logicalName } from "../logical-name.ts";
import { PlatformResource } from "../platform-resource.ts";
import { secretPaths } from "../secret-paths.ts";
import { refuseOwnMetadata } from "../tenant/declared-metadata.ts";

/** What is declared of the metadata of a tenant that is managed elsewhere. */
export interface TenantMetadataArgs {
  /** Id of the tenant. A change removes the keys from the one and gives them to the other. */
  tenantId: pulumi.Input<number>;
  /**
   * Metadata keys, checked against the metadata schema of the tenant's release. Each key is managed whole; keys that are
   * not here are left alone. A key that was here and no longer is, is removed. Secrets may stand at any depth.
   */
  data: pulumi.Input<Record<string, unknown>>;
}

/**
 * Metadata of a tenant that this program does not manage otherwise (specification, TenantMetadata); for one that it
 * does, use `metadata` of its {@link Tenant}. The API cannot delete metadata: deleting the resource removes the declared
 * keys where the platform allows that, and otherwise leaves them, with a warning.
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
      {
        tenantId: args.tenantId,
        data: args.data,
        logicalName: logicalName(name, options),
        ...secretPaths({ data: args.data }),
      },
      { deleteBeforeReplace: true, ...options },
    );
  }
}
