import { isJsonObject } from "../../json/json-value.ts";
import { formatPath, type KeyPath } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import { isMistakable } from "../../secrets/reference.ts";
import { keysEntries } from "../../settings/table.ts";
import { type ConfigNode, partsOf } from "../config/config-node.ts";
import type { Problem } from "../config/problems.ts";
import { fleetTenantSchema } from "./schema.ts";
import type { TenantsSource } from "./tenants-from.ts";

/** A tenant of a file. */
export interface TenantOfFile {
  key: string;
  node: ConfigNode;
  /** The item of `tenantsFrom` that names the file, or its folder. */
  source: TenantsSource;
}

/** The settings of a tenant that its file may not declare. What is no setting at all is a problem of another kind. */
export function fieldProblems({ node, source: { path, fields } }: TenantOfFile): Problem[] {
  if (fields === undefined) return [];
  const list = fields.length === 0 ? "no fields" : `only the fields ${listOf(fields)}`;
  return partsOf(node)
    .filter(([setting]) => Object.hasOwn(fleetTenantSchema.shape, setting))
    .flatMap(([setting, part]) => otherThan(fields, part, [setting]))
    .map((part) => ({ ...part.place, reason: `cannot be declared in ${path}: tenantsFrom allows ${list} there` }));
}

/** The parts of a node, at the highest level possible, that are not within a field. */
function otherThan(fields: readonly string[], node: ConfigNode, path: KeyPath): ConfigNode[] {
  if (isWithinField(path, fields)) return [];
  const hasFieldInside = fields.some((field) => field.startsWith(`${formatPath(path)}.`));
  if (!hasFieldInside) return [node];
  const parts = partsOf(node);
  // A setting that is no object has a problem of its own, and an empty one declares nothing.
  if (parts.length === 0) return path.length === 1 ? [] : [node];
  return parts.flatMap(([key, part]) => otherThan(fields, part, [...path, key]));
}

function isWithinField(path: KeyPath, fields: readonly string[]): boolean {
  const name = formatPath(path);
  return fields.some((field) => name === field || name.startsWith(`${field}.`));
}

function listOf(fields: readonly string[]): string {
  const [last = "", ...others] = fields.slice(0, 15).reverse();
  if (fields.length > 15) return shortList(fields, { maximum: 15 });
  return others.length === 0 ? last : `${others.reverse().join(", ")} and ${last}`;
}

/** The settings of a tenant that are free-form objects. */
export const freeFormNames: readonly string[] = keysEntries.map(([name]) => name);

/**
 * Whether two values at a path of a tenant are merged: `configs` and `metadata` are, at every depth. The parts of a reference to
 * a secret belong together.
 */
export function areMerged([setting = "", ...path]: readonly string[], values: readonly unknown[]): boolean {
  return freeFormNames.includes(setting) && values.every((value) => isJsonObject(value) && !isMistakable(value, path));
}

/**
 * What several files declare of one tenant: each of them must be limited to fields, and a field can be declared in one of them
 * only.
 */
export function declaredTwice(tenants: readonly TenantOfFile[]): Problem[] {
  const several = [...Map.groupBy(tenants, ({ key }) => key).values()].filter(({ length }) => length > 1);
  return several.flatMap((files) => files.flatMap((file, index) => problemsWith(file, files.slice(0, index))));
}

function problemsWith(file: TenantOfFile, earlier: readonly TenantOfFile[]): Problem[] {
  const [first] = earlier;
  if (first === undefined) return [];
  const limited = [file, ...earlier].filter(({ source }) => source.fields !== undefined);
  if (limited.length < earlier.length + 1) {
    const hint = limited.length === 0 ? "" : ", or list the fields of each in tenantsFrom";
    return [{ ...file.node.place, reason: `${twice(first.node)}${hint}` }];
  }
  const depth = file.node.place.path.length;
  const found = earlier.flatMap((other) =>
    sharedFields(other.node, file.node, []).filter(({ path }) =>
      // What one of them may not declare is a problem there.
      [file, other].every(({ source: { fields = [] } }) => isWithinField(path.slice(depth), fields)),
    ),
  );
  return [...Map.groupBy(found, ({ path }) => formatPath(path)).values()].flatMap(([problem = []]) => problem);
}

/** The parts of a node of a tenant, at a path, that another one has too. */
function sharedFields(first: ConfigNode, second: ConfigNode, path: readonly string[]): Problem[] {
  return partsOf(second).flatMap(([key, part]) => {
    const other = first.part(key);
    if (other === undefined) return [];
    const inside = [...path, key];
    if (areMerged(inside, [part.value, other.value])) return sharedFields(other, part, inside);
    return [{ ...part.place, reason: twice(other) }];
  });
}

function twice({ place }: ConfigNode): string {
  return `is declared already, at ${place.where}: remove one of the two`;
}
