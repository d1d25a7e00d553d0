import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join, parse } from "node:path";
import { closest } from "../../inputs/did-you-mean.ts";
import type { KeyPath } from "../../json/key-path.ts";
import { type ConfigNode, configNode, isSecure, partsOf, placeAt } from "../config/config-node.ts";
import { misreadScalars } from "../config/misread-scalars.ts";
import { type Problem, schemaProblems } from "../config/problems.ts";
import { readYamlFile } from "../yaml/yaml-file.ts";
import { declaredTwice, fieldProblems, type TenantOfFile } from "./fields.ts";
import { tenantsSchema } from "./schema.ts";
import type { TenantsSource } from "./tenants-from.ts";

/** The tenants of files, by key. A key that several files declare is listed several times. */
export interface TenantsOfFiles {
  tenants: readonly [string, ConfigNode][];
  problems: readonly Problem[];
}

/**
 * Reads what a fleet's `tenantsFrom` names: files of tenants by key, or folders with a file for each tenant, whose name is
 * the key.
 *
 * @param directory what the paths are relative to.
 * @param readFile can return again what it has read before.
 */
export function readTenantFiles(
  directory: string,
  fleet: ConfigNode,
  tenantsFrom: readonly TenantsSource[],
  readFile = readYamlFile,
): TenantsOfFiles {
  const path = [...fleet.place.path, "tenants"];
  const listed = tenantsFrom.map((source) => ({ source, files: filesAt(directory, source.path) }));
  const missing = listed.flatMap(({ source, files }) =>
    files ? [] : [{ ...placeAt(fleet, ["tenantsFrom"]), reason: missingReason(directory, source.path) }],
  );
  const read = listed.flatMap(({ source, files = [] }) =>
    files.map((file) => ({ source, ...readTenantFile(file, path, readFile) })),
  );
  const tenants = read.flatMap((file) =>
    file.tenants.map(([key, node]): TenantOfFile => ({ key, node, source: file.source })),
  );
  return {
    tenants: tenants.map(({ key, node }) => [key, node]),
    problems: [
      ...missing,
      ...read.flatMap(({ problems }) => problems),
      ...tenants.flatMap(fieldProblems),
      ...declaredTwice(tenants),
    ],
  };
}

interface TenantFile {
  path: string;
  /** Its name in messages. */
  name: string;
  /** The tenant's key, if it is a file of one tenant. */
  key?: string;
}

function missingReason(directory: string, name: string): string {
  if (existsSync(join(directory, name))) return `the folder ${name} has no .yaml or .yml file`;
  const folder = dirname(name);
  const siblings = existsSync(join(directory, folder)) ? readdirSync(join(directory, folder)) : [];
  const match = closest(basename(name), siblings);
  const next =
    match === undefined
      ? "; paths are relative to the folder of Pulumi.yaml"
      : `; did you mean "${join(folder, match)}"?`;
  return `there is no file or folder ${name}${next}`;
}

/** The files of a path; `undefined` if there are none. */
function filesAt(directory: string, name: string): TenantFile[] | undefined {
  const path = join(directory, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) return [{ path, name }];
  const files = readdirSync(path).filter((file) => [".yaml", ".yml"].includes(extname(file).toLowerCase()));
  if (files.length === 0) return undefined;
  return files.sort().map((file) => ({ path: join(path, file), name: join(name, file), key: parse(file).name }));
}

const emptyReason = "the file is empty: write the tenants by key, or {} if there are none";

/** @param tenantsPath the path in the config of the fleet's tenants. */
function readTenantFile(
  { path, name, key }: TenantFile,
  tenantsPath: KeyPath,
  readFile: typeof readYamlFile,
): TenantsOfFiles {
  const file = readFile(path, name);
  const rootPath = key === undefined ? tenantsPath : [...tenantsPath, key];
  const root = configNode({
    value: file.root?.node.value ?? {},
    path: rootPath,
    source: { kind: "tenants file", positionOf: file.positionOf },
    written: file.root?.node,
    offset: file.root?.offset ?? 0,
  });
  const schema = key === undefined ? tenantsSchema : tenantsSchema.valueType;
  const encrypted = encryptedPaths(root.value, []).map((at) => ({
    ...placeAt(root, at),
    reason: "is a secret, which only the stack's own file can hold: set it there, under the same path",
  }));
  // The file of one tenant may be empty, but of many it was mostly lost: `up` would archive all that it had.
  const isLost = key === undefined && file.problems.length === 0 && (file.root?.node.value ?? null) === null;
  return {
    tenants: key === undefined ? partsOf(root) : [[key, root]],
    problems: [
      ...file.problems.map((problem) => ({ path: tenantsPath, ...problem })),
      ...(isLost ? [{ path: tenantsPath, where: file.positionOf(0), reason: emptyReason }] : []),
      ...schemaProblems(schema.safeParse(root.value).error, schema, root),
      ...misreadScalars(file, file.root, rootPath, ({ by }) => by === "engine"), // the engine does not read this file
      ...encrypted,
    ],
  };
}

function encryptedPaths(value: unknown, path: KeyPath): KeyPath[] {
  if (typeof value !== "object" || value === null) return [];
  if (isSecure(value)) return [path];
  return Object.entries(value).flatMap(([key, item]) => encryptedPaths(item, [...path, key]));
}
