import type { z } from "zod";
import { isJsonObject } from "../../json/json-value.ts";
import { asSecret, type ConfigNode, mergeNodes, partsOf } from "../config/config-node.ts";
import { isWithin, type Problem, schemaProblems } from "../config/problems.ts";
import { readYamlFile } from "../yaml/yaml-file.ts";
import { areMerged, freeFormNames } from "./fields.ts";
import { readGroups } from "./groups.ts";
import { type OverrideDeclaration, readOverrides } from "./overrides.ts";
import { fleetOverrideSchema, stackOverrideSchema } from "./overrides-schema.ts";
import {
  type FleetEntry,
  type FleetTenantEntry,
  fleetSchema,
  fleetTenantSchema,
  readableFleetSchema,
  readableFleetTenantSchema,
  readableTenantEntrySchema,
  type TenantEntry,
  tenantEntrySchema,
} from "./schema.ts";
import { readTenantFiles } from "./tenant-files.ts";

/** A tenant that a stack declares, merged with its groups and defaults. */
export interface TenantDeclaration<Entry extends TenantEntry | FleetTenantEntry = TenantEntry | FleetTenantEntry> {
  key: string;
  fleet: FleetDeclaration | undefined;
  /** Its settings as they are declared, with their places and secrets. */
  node: ConfigNode;
  /** Its settings, decrypted. What does not fit the schema is absent. */
  entry: Entry;
}

/** A fleet that a stack declares, without its tenants. */
export interface FleetDeclaration {
  key: string;
  node: ConfigNode;
  /** What does not fit the schema is absent. */
  entry: FleetEntry;
}

/** All tenants, fleets and overrides that a stack declares, and what in them does not fit the schemas. */
export interface Declarations {
  standalone: readonly TenantDeclaration<TenantEntry>[];
  fleets: readonly { fleet: FleetDeclaration; tenants: readonly TenantDeclaration<FleetTenantEntry>[] }[];
  /** Those of fleets come before those of the stack. */
  overrides: readonly OverrideDeclaration[];
  problems: readonly Problem[];
}

/**
 * Reads the tenants and fleets of a stack's config and of the files of tenants. Each is merged once and parsed once.
 *
 * @param directory the folder of Pulumi.yaml, which the paths in `tenantsFrom` are relative to.
 * @param readFile reads a file of tenants.
 */
export function readDeclarations(config: ConfigNode, directory: string, readFile = readYamlFile): Declarations {
  const problems: Problem[] = [];

  const parse = <Entry>(node: ConfigNode, schema: z.ZodType<Entry>, readable: z.ZodType<Entry>): Entry => {
    const parsed = schema.safeParse(node.value);
    // What the tenants get from their groups and defaults is checked there, once.
    const isOwn = ({ path }: Problem) => isWithin(path, node.place.path);
    problems.push(...schemaProblems(parsed.error, schema, node).filter(isOwn));
    return parsed.success ? parsed.data : readable.parse(node.value);
  };

  const tenantDefaults = config.part("tenantDefaults");
  const groups = readGroups(config, "this stack");
  problems.push(...groups.problems);
  const standalone = partsOf(config.part("tenants")).map(([key, own]) => {
    const { layers, problems: groupProblems } = groups.of([own]);
    problems.push(...groupProblems);
    const node = mergedTenant(own, ...layers, tenantDefaults);
    return { key, fleet: undefined, node, entry: parse(node, tenantEntrySchema, readableTenantEntrySchema) };
  });

  const overrides: OverrideDeclaration[] = [];
  const keepOverrides = (read: ReturnType<typeof readOverrides>) => {
    overrides.push(...read.overrides);
    problems.push(...read.problems);
  };

  const fleets = partsOf(config.part("fleets")).flatMap(([key, declared]) => {
    if (!isJsonObject(declared.value)) return [];
    const node = withUnknownSecrets(declared);
    const fleet = { key, node, entry: parse(node, fleetSchema, readableFleetSchema) };
    const files = readTenantFiles(directory, node, fleet.entry.tenantsFrom ?? [], readFile);
    const groups = readGroups(node, "this fleet");
    problems.push(...files.problems, ...groups.problems);
    keepOverrides(readOverrides(node.part("overrides"), fleetOverrideSchema, key));
    const byKey = Map.groupBy([...partsOf(node.part("tenants")), ...files.tenants], ([tenantKey]) => tenantKey);
    const defaults = tenantDefaultsOf(node);
    const tenants = [...byKey].map(([tenantKey, declarations]) => {
      const own = declarations.map(([, node]) => node);
      const { layers, problems: groupProblems } = groups.of(own);
      problems.push(...groupProblems);
      const merged = mergedTenant(...own, ...layers, defaults);
      return {
        key: tenantKey,
        fleet,
        node: merged,
        entry: parse(merged, fleetTenantSchema, readableFleetTenantSchema),
      };
    });
    return [{ fleet, tenants }];
  });

  keepOverrides(readOverrides(config.part("overrides"), stackOverrideSchema));
  return { standalone, fleets, overrides, problems };
}

/**
 * The defaults of a fleet's tenants. The release of a rollout is none of them: the rollout takes the tenants to it. That of a
 * group is a release of the tenants' own, which the rollout leaves alone.
 */
function tenantDefaultsOf(fleet: ConfigNode): ConfigNode | undefined {
  const defaults = fleet.part("defaults");
  if (fleet.part("rollout") === undefined || !isJsonObject(defaults?.value)) return defaults;
  const { release: _, ...value } = defaults.value;
  return { ...defaults, value, part: (key) => (key === "release" ? undefined : defaults.part(key)) };
}

/** Merges the declarations of a tenant; the first one wins. `configs` and `metadata` are merged at every depth. */
function mergedTenant(...declarations: readonly (ConfigNode | undefined)[]): ConfigNode {
  const [first, ...others] = declarations.filter((node) => node !== undefined).map(withUnknownSecrets);
  if (first === undefined) throw new Error("a tenant has no declaration");
  return mergeNodes([first, ...others], areMerged);
}

/** If the source of an entry is unknown, so are its secrets: all settings that can contain secrets become secret. */
function withUnknownSecrets(entry: ConfigNode): ConfigNode {
  if (entry.source !== "unknown") return entry;
  return {
    ...entry,
    part: (key) => {
      const part = entry.part(key);
      return part && [...freeFormNames, "sync"].includes(String(key)) ? asSecret(part) : part;
    },
  };
}
