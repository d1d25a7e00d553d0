import * as pulumi from "@pulumi/pulumi";
import { packageVersion } from "../../package-version.ts";
import { aliasesAcrossProviders } from "./aliases.ts";
import { type ProviderName, providerText } from "./provider-text.ts";
import { type ProviderChoice, type ResourceType, typeToken } from "./type-token.ts";

interface Kind {
  /** The name of the class, which is part of the type token. */
  type: ResourceType;
  /** The resource's name among the exports of `pulumi-integration-platform/provider`. */
  provider: ProviderName;
}

/**
 * The base class of this package's resources. It sets how the engine finds their code, and keeps their states small. A class
 * of `pulumi-integration-platform/native` differs from the one that it extends only in {@link providerChoice}.
 */
export class PlatformResource extends pulumi.CustomResource {
  /** Who runs the code of the class's resources. */
  protected static readonly providerChoice: ProviderChoice = "dynamic";

  /**
   * @param args what the program wrote. Keys of it that are no inputs are passed on, so that the check names them.
   * @param properties the inputs, and the outputs as `undefined`.
   * @param dynamicInputs the inputs that the plugin has from the engine, and which the dynamic provider host does not pass on.
   */
  constructor(
    { type, provider }: Kind,
    name: string,
    args: object,
    properties: pulumi.Inputs,
    dynamicInputs: () => pulumi.Inputs,
    options: pulumi.CustomResourceOptions,
  ) {
    const isNative = new.target.providerChoice === "native";
    const [own, other] = isNative ? (["native", "dynamic"] as const) : (["dynamic", "native"] as const);
    // an existing resource is read by its id alone: the plugin takes what it is given here for the resource's state
    const inputs =
      isNative && options.id !== undefined
        ? withoutValues(properties)
        : { ...properties, ...argsBeyond(properties, args) };
    const tokens = { own: typeToken(own, type), other: typeToken(other, type) };
    const { prepareStackTrace, stackTraceLimit } = Error;
    const recordStacks = () => Object.assign(Error, { prepareStackTrace, stackTraceLimit });
    Error.prepareStackTrace = () => ""; // the engine would store the program's call stack with each resource
    Error.stackTraceLimit = 0; // the SDK would record it with dozens of promises: a tenth of the time of a program with many
    try {
      super(
        tokens.own,
        name,
        isNative ? inputs : { ...inputs, ...dynamicInputs(), __provider: providerText(provider) },
        {
          ...(isNative && { version: packageVersion() }),
          ...options,
          aliases: aliasesAcrossProviders(options.aliases ?? [], tokens),
        },
      );
    } catch (error) {
      recordStacks();
      throw withStack(error);
    } finally {
      recordStacks();
    }
  }
}

/** An error that was thrown while no stacks were recorded, with the one of its resource. */
function withStack(error: unknown): unknown {
  if (error instanceof Error && !error.stack?.includes("\n    at ")) Error.captureStackTrace(error, PlatformResource);
  return error;
}

/** The arguments that a class knows no input for: of other names, or of the name of an output. */
function argsBeyond(properties: pulumi.Inputs, args: object): pulumi.Inputs {
  const isBeyond = ([key, value]: [string, unknown]) => value !== undefined && properties[key] === undefined;
  return Object.fromEntries(Object.entries(args).filter(isBeyond));
}

function withoutValues(properties: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(Object.keys(properties).map((key) => [key, undefined]));
}
