import * as pulumi from "@pulumi/pulumi";
import { type ProviderName, providerText } from "./provider-text.ts";

interface Kind {
  /** The name of the class, which is part of the type token. */
  type: string;
  /** The resource's name among the exports of `pulumi-integration-platform/provider`. */
  provider: ProviderName;
}

/** The base class of this package's resources. It sets how the engine finds their code, and keeps their states small. */
export class PlatformResource extends pulumi.CustomResource {
  constructor(
    { type, provider }: Kind,
    name: string,
    properties: pulumi.Inputs,
    options: pulumi.CustomResourceOptions,
  ) {
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = () => ""; // the engine would store the program's call stack with each resource
    try {
      super(
        `pulumi-nodejs:dynamic/integration-platform:${type}`,
        name,
        { ...properties, __provider: providerText(provider) },
        options,
      );
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
  }
}
