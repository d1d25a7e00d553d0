import * as pulumi from "@pulumi/pulumi";
import { logicalNameUnless } from "../logical-name.ts";
import { PlatformResource } from "../platform-resource.ts";
import { secretPaths } from "../secret-paths.ts";
import { declareOwnMetadata } from "./declared-metadata.ts";
import type { TenantInputs } from "./schema.ts";

/**
 * What is declared of a tenant. Its name and integration are managed always; the rest only where it is declared. What is
 * not declared is left as the platform, its users and its runs have it.
 */
export interface TenantArgs {
  /** Name or id of the integration. A change archives the tenant and makes another (specification, CreateTenant). */
  integration: pulumi.Input<string | number>;
  /**
   * Name of the tenant: lowercase letters, digits and `-`, with `-` neither first nor last. Default: the name of the
   * resource. Changed in place. Names are taken as unique among the live tenants of an integration.
   */
  name?: pulumi.Input<string> | undefined;
  /** Cron schedule of five fields, in UTC; `"none"` clears the tenant's own (specification, `user_schedule`). */
  schedule?: pulumi.Input<string> | undefined;
  /**
   * Release to run: `{ id }`, `{ tag }`, `{ channel: "Latest" | "Default" }`, or the id alone. A channel moves on by
   * itself, without drift.
   */
  release?: pulumi.Input<number | ReleaseArgs> | undefined;
  /** Whether the tenant is paused. New tenants are; `false` resumes, after all else is in place. */
  paused?: pulumi.Input<boolean> | undefined;
  /**
   * Config keys, checked against the config schema of the release. Each key is managed whole; keys that are not here are
   * left alone. A key that was here and no longer is, is removed. Secrets may stand at any depth.
   */
  configs?: pulumi.Input<Record<string, unknown>> | undefined;
  /** Metadata keys, checked against the metadata schema of the release, and managed as `configs` are. */
  metadata?: pulumi.Input<Record<string, unknown>> | undefined;
  /**
   * What to do where a live tenant of that name exists when the resource is created:
   * `"safe"` (default) takes it over only if it is what this create would have made; `"never"` refuses; `true` takes it
   * over and brings it to these settings; an id takes over that tenant.
   */
  adopt?: pulumi.Input<"never" | "safe" | true | number> | undefined;
  /**
   * Whether the tenant may be archived while a customer has it connected. Default false. It counts from the `up` after
   * it was set, as the engine deletes by what it has stored.
   */
  forceArchive?: pulumi.Input<boolean> | undefined;
  /**
   * What to do with the tenant once the resource is removed: `"archive"` (default), or `"forget"`, which leaves it on the
   * platform, for another resource to take over. It counts from the `up` after it was set.
   */
  onRemove?: pulumi.Input<"archive" | "forget"> | undefined;
}

/** One of the three ways to name a release. */
export interface ReleaseArgs {
  id?: pulumi.Input<number> | undefined;
  tag?: pulumi.Input<string> | undefined;
  channel?: pulumi.Input<"Latest" | "Default"> | undefined;
}

/**
 * A tenant of an integration (specification, Tenant): an installed instance with its own configs, schedule and release.
 * Deleting the resource archives the tenant.
 *
 * @example
 * new Tenant("acme", {
 *   integration: "crm-to-billing",
 *   schedule: "30 5 * * *",
 *   release: { tag: "v1.0.0" },
 *   paused: false,
 *   configs: { region: "eu", api_token: config.requireSecret("acmeToken") },
 *   metadata: { plan: "gold" },
 * });
 */
export class Tenant extends PlatformResource {
  /** Id of the tenant on the platform. */
  declare readonly tenantId: pulumi.Output<number>;
  /** Id of its integration. */
  declare readonly integrationId: pulumi.Output<number>;
  declare readonly name: pulumi.Output<string>;
  /** The rest as declared: see {@link TenantArgs}. `undefined` where nothing is. */
  declare readonly schedule: pulumi.Output<string | undefined>;
  declare readonly release: pulumi.Output<TenantInputs["release"]>;
  declare readonly paused: pulumi.Output<boolean | undefined>;
  declare readonly configs: pulumi.Output<Record<string, unknown> | undefined>;
  declare readonly metadata: pulumi.Output<Record<string, unknown> | undefined>;

  constructor(name: string, args: TenantArgs, options: pulumi.CustomResourceOptions = {}) {
    const inputs = {
      integration: args.integration,
      name: args.name ?? name,
      schedule: args.schedule,
      release: releaseInput(args.release),
      paused: args.paused,
      configs: args.configs,
      metadata: args.metadata,
      adopt: args.adopt,
      forceArchive: args.forceArchive,
      onRemove: args.onRemove,
      logicalName: logicalNameUnless(args.name, name, options),
    };
    super(
      { type: "Tenant", provider: "tenant" },
      name,
      {
        ...inputs,
        ...secretPaths(inputs),
        tenantId: undefined,
        integrationId: undefined,
      },
      { deleteBeforeReplace: true, ...options },
    );
    if (args.metadata !== undefined) declareOwnMetadata(this.tenantId);
  }
}

function releaseInput(release: TenantArgs["release"]): pulumi.Input<ReleaseArgs> | undefined {
  if (typeof release === "number") return { id: release };
  if (!pulumi.Output.isInstance(release) && !(release instanceof Promise)) return release;
  return pulumi.output(release).apply((known) => (typeof known === "number" ? { id: known } : known));
}
