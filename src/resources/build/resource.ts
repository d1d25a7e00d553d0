import type * as pulumi from "@pulumi/pulumi";
import { PlatformResource } from "../platform-resource.ts";

/** What is declared of a build. A change of integration, tag or branch makes another one. */
export interface BuildArgs {
  /** Id of the integration to build against (specification, CreateBuild). */
  integrationId: pulumi.Input<number>;
  /** Tag of the release to come. The release is known by it, so no release of the integration may bear it yet. */
  tag: pulumi.Input<string>;
  /** Branch to build. Default: the integration's tracking branch. */
  branch?: pulumi.Input<string> | undefined;
  /** Whether to take a release that bears the tag already as it is, instead of refusing. Default false. */
  adopt?: pulumi.Input<boolean> | undefined;
  /** How long to wait for the release, in seconds. Default 900. A build that takes longer is waited on by the next `up`. */
  timeoutSeconds?: pulumi.Input<number> | undefined;
}

/**
 * A release made from code (specification, Builds): asks for the build and waits until a release with its tag shows
 * among the integration's. Deleting the resource leaves the platform as it is, as the API cannot remove a release.
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
  declare readonly releaseName: pulumi.Output<string>;
  /** The release's `config_version`. */
  declare readonly configVersion: pulumi.Output<string>;
  /** SHA-256 of the release's config schema, in hex: tells whether the schema has changed. */
  declare readonly configSchemaDigest: pulumi.Output<string>;
  /** SHA-256 of the release's metadata schema, in hex. */
  declare readonly metadataSchemaDigest: pulumi.Output<string>;

  constructor(name: string, args: BuildArgs, options: pulumi.CustomResourceOptions = {}) {
    super(
      { type: "Build", provider: "build" },
      name,
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
      { deleteBeforeReplace: true, ...options },
    );
  }
}
