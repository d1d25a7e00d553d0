import * as pulumi from "@pulumi/pulumi";
import { packageVersion } from "../../package-version.ts";
import { refuseOtherProviders } from "./other-providers.ts";
import { type ProviderChoice, type ResourceType, typeToken } from "./type-token.ts";

refuseOtherProviders(); // a program loads this before it creates a resource

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
    refuseOtherProviders(); // an inline program has its stack only now
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

type AliasInput = pulumi.Input<pulumi.URN | pulumi.Alias>;

/** The type tokens of a resource: its own, and that of the same resource under the other provider. */
interface Tokens {
  own: string;
  other: string;
}

/**
 * The aliases of a resource that may have been of the other provider: the program's own, and each of them with the other
 * provider's type. Pulumi combines a resource's aliases with its parent's, but not with each other, so a resource that is
 * renamed and moved in one `up` would be a new one.
 */
function aliasesAcrossProviders(given: readonly AliasInput[], tokens: Tokens): AliasInput[] {
  return [...given, { type: tokens.other }, ...given.map((alias) => inOther(alias, tokens))];
}

function inOther(alias: AliasInput, tokens: Tokens): AliasInput {
  if (!pulumi.Output.isInstance(alias) && !(alias instanceof Promise)) return withOtherType(alias, tokens);
  return pulumi.output<pulumi.URN | pulumi.Alias>(alias).apply((known) => withOtherType(known, tokens));
}

function withOtherType(alias: pulumi.URN | pulumi.Alias, { own, other }: Tokens): pulumi.URN | pulumi.Alias {
  // in a URN, the type comes after the types of the parents, and before the name
  if (typeof alias === "string") return alias.replace(`${own}::`, `${other}::`);
  return { ...alias, type: alias.type ?? other };
}

/** The name of a resource among the exports of `pulumi-integration-platform/provider`. */
type ProviderName = "tenant" | "tenantMetadata" | "build" | "syncTrigger" | "tenantFleet" | "fleetRollout";

/**
 * The `__provider` property of a resource, which the official dynamic provider host runs to find the resource's code. It
 * never changes, so that the state never has outdated code. See docs/decisions/how-the-package-is-loaded.md.
 */
export function providerText(member: ProviderName): string {
  return `exports.handler=()=>{let d=process.cwd(),r=require("module").createRequire(d+"/");return r(r.resolve("pulumi-integration-platform/provider",{paths:[d,process.argv[1]]})).${member}}`;
}
