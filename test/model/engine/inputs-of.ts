import { providerText } from "../../../src/resources/pulumi/platform-resource.ts";
import type { ProviderChoice } from "../../../src/resources/pulumi/type-token.ts";
import { type Declared, isReference, isSecret, type Reference, type ResourceType } from "../program.ts";
import { pathsOfSecrets } from "./secrets.ts";
import type { Properties } from "./state.ts";

/** The engine's placeholder for a value that is unknown in a preview. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The provider's export for each type. */
export const memberOf = {
  Build: "build",
  Tenant: "tenant",
  TenantFleet: "tenantFleet",
  TenantMetadata: "tenantMetadata",
  SyncTrigger: "syncTrigger",
  FleetRollout: "fleetRollout",
} as const satisfies Record<ResourceType, string>;

/** The inputs that a resource's class passes to the engine, and the resources that they come from. */
export interface ResolvedInputs {
  readonly inputs: Properties;
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
}

/**
 * @param outputOf Returns an output of a finished resource, or {@link unknownValue} if it is unknown in a preview.
 * @param provider The native one gets only what the program declares: names and the places of secrets are not inputs of it.
 */
export function inputsOf(
  { type, name, args: declared }: Declared,
  outputOf: (key: string, property: string) => unknown,
  provider: ProviderChoice,
): ResolvedInputs {
  const resolve = (value: unknown): unknown => {
    if (isReference(value)) return outputOf(value.$of, value.property ?? "");
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null || isSecret(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item)]));
  };
  const args = type === "FleetRollout" ? outputsOfTheFleet(declared) : declared;
  const dependencies = Object.entries(args).map(([key, value]): [string, string[]] => [key, referencesIn(value)]);
  const own: Properties = Object(resolve(args));
  return {
    inputs: provider === "native" ? own : { ...ofType(type, name, own), __provider: providerText(memberOf[type]) },
    dependencies: Object.fromEntries(dependencies.filter(([, keys]) => keys.length > 0)),
  };
}

/** The class takes the fleet, and passes on what it needs of it. */
function outputsOfTheFleet({ fleet, ...strategy }: Declared["args"]): Properties {
  if (!isReference(fleet)) return { ...strategy, fleet };
  const output = (property: string): Reference => ({ $of: fleet.$of, property });
  return {
    ...strategy,
    fleetName: output("name"),
    integrationId: output("integrationId"),
    plan: output("rolloutPlan"),
  };
}

/** The resources whose outputs a value contains. */
export function referencesIn(value: unknown): string[] {
  if (isReference(value)) return [value.$of];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
}

function ofType(type: ResourceType, name: string, args: Properties): Properties {
  if (type === "Tenant") {
    return {
      ...args,
      ...named(args, name),
      ...secretPaths({ configs: args.configs, metadata: args.metadata }),
    };
  }
  if (type === "TenantFleet") {
    const tenants = Object.entries(Object(args.tenants)).map(([key, entry]) => [
      key,
      { ...Object(entry), ...secretPaths(Object(entry)) },
    ]);
    return { ...args, ...named(args, name), tenants: Object.fromEntries(tenants) };
  }
  if (type === "TenantMetadata") return { ...args, logicalName: name, ...secretPaths({ data: args.data }) };
  if (type === "SyncTrigger") return { ...args, ...secretPaths({ payload: args.payload, triggers: args.triggers }) };
  return args;
}

function named(args: Properties, name: string): Properties {
  return { name: args.name ?? name, ...(args.name === undefined || args.name === name ? {} : { logicalName: name }) };
}

function secretPaths(inputs: Properties): { secretPaths?: string[][] } {
  const paths = pathsOfSecrets(inputs);
  const byKeys = (left: string[], right: string[]) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);
  return paths.length === 0 ? {} : { secretPaths: paths.sort(byKeys) };
}
