import type * as pulumi from "@pulumi/pulumi";
import { PlatformResource } from "../pulumi/platform-resource.ts";

/** The arguments of a {@link Build}. A change of the integration, tag or branch replaces the resource with another build. */
export interface BuildArgs {
  /** Id of the integration to build against (specification, CreateBuild). */
  integrationId: pulumi.Input<number>;
  /** Tag of the new release. It identifies the release, so no release of the integration may have it yet: see `adopt`. */
  tag: pulumi.Input<string>;
  /** Branch to build. Default: the integration's tracking branch. */
  branch?: pulumi.Input<string> | undefined;
  /** Whether to use an existing release with this tag. Default false, which makes an existing one an error. */
  adopt?: pulumi.Input<boolean> | undefined;
  /** How long to wait for the release, in seconds. Default 900. After a timeout, the `up` fails and the next one waits again. */
  timeoutSeconds?: pulumi.Input<number> | undefined;
}

/**
 * A build and its release (specification, Builds). It requests the build and waits until the integration has a release with
 * the tag. Deleting the resource leaves the release on the platform, with a warning, because the API cannot remove it.
 *
 * @example
 * const build = new Build("v1-4-0", { integrationId: 101, tag: "v1.4.0", branch: "release/1.4" });
 * new Tenant("acme", { integration: 101, release: build.releaseId });
 */
export class Build extends PlatformResource {
  declare readonly integrationId: pulumi.Output<number>;
  declare readonly tag: pulumi.Output<string>;
  declare readonly branch: pulumi.Output<string | undefined>;
  /** Id of the release. */
  declare readonly releaseId: pulumi.Output<number>;
  /** Name of the release. */
  declare readonly releaseName: pulumi.Output<string>;
  /** The release's `config_version`. */
  declare readonly configVersion: pulumi.Output<string>;
  /** SHA-256 of the release's config schema, in hex. It changes if the schema changes. */
  declare readonly configSchemaDigest: pulumi.Output<string>;
  /** SHA-256 of the release's metadata schema, in hex. */
  declare readonly metadataSchemaDigest: pulumi.Output<string>;

  constructor(name: string, args: BuildArgs, options: pulumi.CustomResourceOptions = {}) {
    super(
      { type: "Build", provider: "build" },
      name,
      args,
      {
        integrationId: args.integrationId,
        tag: args.tag,
        branch: args.branch,
        adopt: args.adopt,
        timeoutSeconds: args.timeoutSeconds,
        releaseId: undefined,
        releaseName: undefined,
        configVersion: undefined,
        configSchemaDigest: undefined,
        metadataSchemaDigest: undefined,
      },
      () => ({}),
      options,
    );
  }
}
