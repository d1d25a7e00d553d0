import * as pulumi from "@pulumi/pulumi";
import { packageVersion } from "../package-version.ts";
import { packageName } from "../resources/pulumi/type-token.ts";

/**
 * The arguments of a {@link Provider}. The environment fills in what is not given: `INTEGRATION_PLATFORM_BASE_URL` and
 * `INTEGRATION_PLATFORM_API_KEY`. The config of the stack does not: it is for resources without a provider of their own.
 */
export interface ProviderArgs {
  /** Address of the platform, such as `https://platform.example.com`. */
  baseUrl?: pulumi.Input<string> | undefined;
  /** API key. It is a secret, whether it is given as one or not. */
  apiKey?: pulumi.Input<string> | undefined;
  /** Hosts that may be reached without TLS, such as `["platform.internal"]`. Default: only the own machine. */
  allowInsecureHttp?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /** Statuses of a connector that mean that the customer has connected it, in addition to the built-in ones. */
  connectedStatuses?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /** Statuses of a connector that mean that it is not connected, in addition to the built-in ones. */
  notConnectedStatuses?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /** Statuses of a run that mean success, in addition to the built-in ones. */
  succeededStatuses?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /** Statuses of a run that mean failure, in addition to the built-in ones. */
  failedStatuses?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /** What a value is that violates a schema of a release, unless its tenant or fleet says otherwise. Default `"error"`. */
  schemaViolations?: pulumi.Input<"error" | "warn" | "off"> | undefined;
  /**
   * The profile of the platform: a JSON file that `integration-platform calibrate` has made, relative to the folder of Pulumi.yaml.
   * Default: none.
   */
  platform?: pulumi.Input<string> | undefined;
  /** Own resolvers of secrets, by scheme: paths of modules, relative to the folder of Pulumi.yaml. */
  resolvers?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
}

/**
 * A platform of its own for some of a program's resources: they take it by the option `provider`, and the children of a
 * component by its option `providers`. Resources without one use the platform of the stack's config and the environment.
 *
 * @example
 * const eu = new Provider("eu", { baseUrl: "https://eu.platform.example.com", apiKey: config.requireSecret("euKey") });
 * new Tenant("acme", { integration: "crm-to-billing" }, { provider: eu });
 */
export class Provider extends pulumi.ProviderResource {
  declare readonly baseUrl: pulumi.Output<string | undefined>;
  declare readonly apiKey: pulumi.Output<string | undefined>;

  constructor(name: string, args: ProviderArgs = {}, options: pulumi.ResourceOptions = {}) {
    super(
      packageName,
      name,
      {
        baseUrl: args.baseUrl,
        apiKey: args.apiKey === undefined ? undefined : pulumi.secret(args.apiKey),
        allowInsecureHttp: jsonInput(args.allowInsecureHttp),
        connectedStatuses: jsonInput(args.connectedStatuses),
        notConnectedStatuses: jsonInput(args.notConnectedStatuses),
        succeededStatuses: jsonInput(args.succeededStatuses),
        failedStatuses: jsonInput(args.failedStatuses),
        schemaViolations: args.schemaViolations,
        platform: args.platform,
        resolvers: jsonInput(args.resolvers),
      },
      { version: packageVersion(), ...options },
    );
  }
}

/** The inputs of providers are strings: other values are JSON in them. */
function jsonInput(value: pulumi.Input<unknown> | undefined): pulumi.Input<string> | undefined {
  return value === undefined ? undefined : pulumi.output(value).apply((known) => JSON.stringify(known));
}
