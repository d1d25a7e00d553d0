import { readdirSync, statSync } from "node:fs";
import { extname, join, parse } from "node:path";
import { describeIssue } from "../resources/input-schema.ts";
import type { Problem } from "./problems.ts";
import { fleetTenantsSchema } from "./schema.ts";
import { isSecure } from "./stack-file.ts";
import { type KeyPath, openYamlFile } from "./yaml-file.ts";
import { inexactNumber } from "./yaml-numbers.ts";

/** A file of a fleet's tenants, by key; of any shape where there are problems. */
export interface TenantsFile {
  tenants: Readonly<Record<string, unknown>>;
  /** `tenants/billing.yaml:8:20`, of a place given by the tenant's key and the keys in it. */
  locate(path: KeyPath): string;
  problems: readonly Problem[];
}

/**
 * Reads what a fleet's `tenantsFrom` names: files of tenants by key, or folders with a file for each tenant, whose name is
 * the key. Tells what is wrong with them by file, line and column.
 *
 * @param directory what the paths are relative to.
 */
export function readTenantsFrom(
  directory: string,
  fleet: string,
  tenantsFrom: readonly string[],
): { files: TenantsFile[]; problems: Problem[] } {
  const places = tenantsFrom.map((path) => ({ path, found: list(directory, path) }));
  const missing = places.flatMap(({ path, found }) =>
    found ? [] : [{ path: ["fleets", fleet, "tenantsFrom"], reason: `there is no file or folder ${path}` }],
  );
  const files = places.flatMap(({ found = [] }) => found.map((source) => readFile(fleet, source)));
  return { files, problems: [...missing, ...files.flatMap(({ problems }) => problems), ...twice(fleet, files)] };
}

interface Source {
  path: string;
  /** What messages call it. */
  name: string;
  /** Of a file with one tenant. */
  key?: string;
}

function list(directory: string, path: string): Source[] | undefined {
  const stats = statSync(join(directory, path), { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) return [{ path: join(directory, path), name: path }];
  return readdirSync(join(directory, path))
    .filter((name) => [".yaml", ".yml"].includes(extname(name)))
    .sort()
    .map((name) => ({ path: join(directory, path, name), name: join(path, name), key: parse(name).name }));
}

function readFile(fleet: string, { path, name, key }: Source): TenantsFile {
  const file = openYamlFile(path, name);
  const value = file.valueAt([]) ?? {};
  const tenants = key === undefined ? value : { [key]: value };
  const locate = (at: KeyPath) => file.locate(key === undefined ? at : at.slice(1));
  const problem = (at: KeyPath, reason: string): Problem => ({
    path: ["fleets", fleet, "tenants", ...at],
    where: locate(at),
    reason,
  });
  const misshapen = fleetTenantsSchema
    .safeParse(tenants)
    .error?.issues.flatMap((issue) => describeIssue(issue, fleetTenantsSchema));
  return {
    tenants: Object(tenants),
    locate,
    problems: [
      ...file.errors.map(({ where, reason }) => ({ ...problem([], reason), where })),
      ...(misshapen ?? []).map(({ path: at, reason }) => problem(at, reason)),
      ...file.inexactNumbers.map(({ path: at, where }) => ({
        ...problem(key === undefined ? at : [key, ...at], inexactNumber),
        where,
      })),
      ...securePaths(tenants, []).map((at) =>
        problem(at, "a secret cannot be decrypted here: set it in the stack's config, under the same path"),
      ),
    ],
  };
}

/** Where there are encrypted values, as in a stack's file. */
function securePaths(value: unknown, at: KeyPath): KeyPath[] {
  if (typeof value !== "object" || value === null) return [];
  if (isSecure(value)) return [at];
  return Object.entries(value).flatMap(([key, item]) => securePaths(item, [...at, key]));
}

function twice(fleet: string, files: readonly TenantsFile[]): Problem[] {
  const first = new Map<string, string>();
  return files.flatMap(({ tenants, locate }) =>
    Object.keys(tenants).flatMap((key) => {
      const where = locate([key]);
      const other = first.get(key);
      if (other !== undefined) {
        return [{ path: ["fleets", fleet, "tenants", key], where, reason: `is declared already, at ${other}` }];
      }
      first.set(key, where);
      return [];
    }),
  );
}
