/** The names of the resource classes. They are the last part of the type tokens. */
export const resourceTypes = [
  "Tenant",
  "TenantMetadata",
  "Build",
  "SyncTrigger",
  "TenantFleet",
  "FleetRollout",
] as const;

export type ResourceType = (typeof resourceTypes)[number];

/** Who runs the code of a resource: Pulumi's host of dynamic providers, or this package's provider plugin. */
export type ProviderChoice = (typeof providerChoices)[number];

export const providerChoices = ["dynamic", "native"] as const;

/** The package's name, which the plugin's executable, its type tokens and its config namespace share. */
export const packageName = "integration-platform";

const prefixes: Record<ProviderChoice, string> = {
  dynamic: `pulumi-nodejs:dynamic/${packageName}:`,
  native: `${packageName}:index:`,
};

/** The type token of a resource, such as `integration-platform:index:Tenant`. */
export function typeToken(provider: ProviderChoice, type: ResourceType): string {
  return `${prefixes[provider]}${type}`;
}

/** The name of the class for a type token of either provider; `undefined` for resources of other packages. */
export function resourceTypeOf(token: string): ResourceType | undefined {
  const prefix = Object.values(prefixes).find((candidate) => token.startsWith(candidate));
  return prefix === undefined ? undefined : resourceTypes.find((type) => token === `${prefix}${type}`);
}

/** The token of one of the plugin's functions, such as `integration-platform:index:getTenant`. */
export function functionToken(name: string): string {
  return `${prefixes.native}${name}`;
}
