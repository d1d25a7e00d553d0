import { valueAt } from "../json-schema/index.ts";
import type { Layer, Layers } from "./layers.ts";
import type { StackFile } from "./stack-file.ts";
import type { TenantsFile } from "./tenant-files.ts";
import type { KeyPath } from "./yaml-file.ts";

/** A tenant as the stack declares it, in whatever shape: alone, or in a fleet. */
export interface TenantDeclaration {
  key: string;
  fleet: FleetDeclaration | undefined;
  layers: Layers;
}

/** A fleet as the stack declares it, in whatever shape. */
export interface FleetDeclaration {
  key: string;
  layer: Layer;
}

interface Sources {
  /** The stack's file, where it can be trusted for a key of the config. */
  fileOf: (key: PropertyKey | undefined) => StackFile | undefined;
  /** The files of a fleet's tenants. */
  tenantsFilesOf: (fleet: string) => readonly TenantsFile[];
}

/** Without the stack's file nobody knows which leaves are secret: then all of these are. */
const maybeSecret = ["configs", "metadata", "sync"];

/** All that a stack declares of tenants. Its config may be of any shape: what cannot be read is passed over. */
export function declarationsOf(
  config: { tenants?: unknown; tenantDefaults?: unknown; fleets?: unknown },
  { fileOf, tenantsFilesOf }: Sources,
): { tenants: TenantDeclaration[]; fleets: FleetDeclaration[] } {
  const layer = (value: unknown, at: KeyPath): Layer => ({
    value: Object(value),
    placeOf: (path) => ({ path: [...at, ...path] }),
    isSecret: (path) => fileOf(at[0])?.isSecret([...at, ...path]) ?? maybeSecret.includes(String(path[0])),
  });
  const part = ({ value, placeOf }: Layer, path: KeyPath) => layer(valueAt(value, path), placeOf(path).path);

  const defaults = layer(config.tenantDefaults, ["tenantDefaults"]);
  const alone = Object.entries(Object(config.tenants)).map(([key, own]): TenantDeclaration => {
    return { key, fleet: undefined, layers: [layer(own, ["tenants", key]), defaults] };
  });
  const fleets = Object.entries(Object(config.fleets)).map(([key, declared]): FleetDeclaration => {
    return { key, layer: layer(declared, ["fleets", key]) };
  });
  const inFleets = fleets.flatMap((fleet) => {
    const under = part(fleet.layer, ["defaults"]);
    const inline = Object.keys(Object(valueAt(fleet.layer.value, ["tenants"])));
    const layers = new Map<string, Layer[]>(inline.map((key) => [key, [part(fleet.layer, ["tenants", key])]]));
    for (const file of tenantsFilesOf(fleet.key)) {
      for (const [key, own] of Object.entries(file.tenants)) {
        const { path: around } = fleet.layer.placeOf(["tenants", key]);
        const placeOf = (path: KeyPath) => ({ path: [...around, ...path], where: file.locate([key, ...path]) });
        layers.set(key, [...(layers.get(key) ?? []), { value: Object(own), placeOf, isSecret: () => false }]);
      }
    }
    return [...layers].map(([key, [first = under, ...others]]): TenantDeclaration => {
      return { key, fleet, layers: [first, ...others, under] };
    });
  });
  return { tenants: [...alone, ...inFleets], fleets };
}
