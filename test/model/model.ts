import type { Declared, Program } from "./program.ts";

/** The declaration of one tenant. An undefined setting is not declared. */
export interface Settings {
  readonly name: string;
  /** Tenants of a fleet have the fleet's integration. */
  readonly integration: "crm" | "shop";
  readonly configs?: Readonly<Record<string, unknown>> | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly paused?: boolean | undefined;
  readonly schedule?: string | undefined;
  readonly release?: object | undefined;
  readonly adopt?: "never" | "safe" | true | number | undefined;
  readonly forceArchive?: boolean | undefined;
  readonly retainOnDelete?: boolean | undefined;
  /** The trigger of its sync. Undefined if no sync is declared. */
  readonly sync?: number | undefined;
}

/** The place where a tenant is declared: `t1` is a resource, and `f1/k1` is a key of a fleet. */
export type Place = string;

/** A tenant of the program. */
export interface Slot {
  readonly settings: Settings;
  /** Its former place, if the program gives an alias. */
  readonly alias?: Place | undefined;
}

/** The program of a story. */
export interface Model {
  readonly slots: ReadonlyMap<Place, Slot>;
  /** `TenantMetadata` resources by name, with the tenant's id or a reference to the tenant's resource. */
  readonly metadata: ReadonlyMap<
    string,
    { readonly tenantId: unknown; readonly data: Readonly<Record<string, unknown>> }
  >;
  /** The tags of builds, by the resources' names. */
  readonly builds: ReadonlyMap<string, string>;
}

export const emptyModel: Model = { slots: new Map(), metadata: new Map(), builds: new Map() };

export function isInFleet(place: Place): boolean {
  return place.includes("/");
}

/** Whether an alias can link two places: both in one fleet, or both resources. */
export function fleetOf(place: Place): string | undefined {
  return isInFleet(place) ? place.split("/")[0] : undefined;
}

/** The resources of the program, as a user would declare them. */
export function programOf({ slots, metadata, builds }: Model): Program {
  const own = [...slots].filter(([place]) => !isInFleet(place));
  const fleets = new Set([...slots.keys()].flatMap((place) => fleetOf(place) ?? []));
  return [
    ...[...builds].map(
      ([name, tag]): Declared => ({
        type: "Build",
        name,
        args: { integrationId: 1, tag, adopt: true, timeoutSeconds: 10 },
      }),
    ),
    ...own.flatMap(([place, slot]) => resourcesOf(place, slot)),
    ...[...fleets].map((fleet) => fleetResource(fleet, slots)),
    ...[...metadata].map(([name, args]): Declared => ({ type: "TenantMetadata", name, args: { ...args } })),
  ];
}

function resourcesOf(place: Place, { settings, alias }: Slot): Declared[] {
  const { sync, name, retainOnDelete, ...args } = settings;
  const tenant: Declared = {
    type: "Tenant",
    name: place,
    args: defined({ name, ...args }),
    aliases: alias === undefined ? [] : [alias],
    ...(retainOnDelete === undefined ? {} : { retainOnDelete }),
  };
  if (sync === undefined) return [tenant];
  const tenantId = { $of: `Tenant ${place}`, property: "tenantId" };
  return [
    tenant,
    {
      type: "SyncTrigger",
      name: `${place}-sync`,
      args: { tenantId, mode: "normal", triggers: { number: sync }, timeoutSeconds: 10 },
      aliases: alias === undefined ? [] : [`${alias}-sync`],
    },
  ];
}

function fleetResource(fleet: string, slots: Model["slots"]): Declared {
  const tenants = [...slots].flatMap(([place, { settings, alias }]) => {
    if (fleetOf(place) !== fleet) return [];
    const key = keyOf(place);
    const { integration: _, sync, name, ...entry } = settings;
    const sync_ = sync === undefined ? undefined : { mode: "normal", triggers: { number: sync }, timeoutSeconds: 10 };
    const aliases = alias === undefined ? undefined : [keyOf(alias)];
    return [[key, defined({ ...entry, name: name === key ? undefined : name, sync: sync_, aliases })] as const];
  });
  return { type: "TenantFleet", name: fleet, args: { integration: "crm", tenants: Object.fromEntries(tenants) } };
}

export function keyOf(place: Place): string {
  return place.split("/")[1] ?? place;
}

function defined(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
