import { join } from "node:path";
import type { KeyPath } from "../../json/key-path.ts";
import { valueAt } from "../../json/key-path.ts";
import { readYamlFile } from "../yaml/yaml-file.ts";
import { configNode } from "./config-node.ts";
import type { StackConfig } from "./config-values.ts";

/**
 * The config of a stack that has one fleet, whose tenants are in a file. The fleet has any integration and all groups that
 * the tenants name, and the stack has all builds: a file that no stack names yet can be checked by itself.
 *
 * @param name of the file, relative to the folder of Pulumi.yaml.
 */
export function looseTenantsConfig(name: string, directory: string): { config: StackConfig; fleetPath: KeyPath } {
  const tenants = readYamlFile(join(directory, name), name).root?.node.value;
  const builds = Object.values(Object(tenants)).flatMap((tenant) => {
    const build = valueAt(tenant, ["release", "build"]);
    return typeof build === "string" ? [[build, { integration: "any", tag: "any" }]] : [];
  });
  const groups = Object.values(Object(tenants)).flatMap((tenant) =>
    [valueAt(tenant, ["groups"])].flat().flatMap((group) => (typeof group === "string" ? [[group, {}]] : [])),
  );
  const fleets = { any: { integration: "any", groups: Object.fromEntries(groups), tenantsFrom: name } };
  const root = configNode({
    value: { builds: Object.fromEntries(builds), fleets },
    path: [],
    source: { kind: "stack file", positionOf: () => name },
  });
  return {
    config: { root, problems: [], textOf: () => undefined, hasUnreadKeys: false },
    fleetPath: ["fleets", "any", "tenants"],
  };
}
