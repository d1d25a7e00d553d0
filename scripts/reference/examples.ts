import { stringify } from "yaml";
import {
  fleetDocumentation,
  type KeyDocumentation,
  stackDocumentation,
  tenantDocumentation,
} from "../../src/editor-schema/documentation.ts";
import { namespace } from "../../src/stack/config/config-values.ts";
import { code, codeBlock, joined } from "./markdown.ts";
import { stackKeyAddress } from "./stack-keys.ts";

/** The npm package from which programs import the classes and functions. */
export const packageName = "pulumi-integration-platform";

/** The code of a docstring's example, with the import of the classes and functions that it uses. */
export function programExample(example: string | undefined, module = packageName): string {
  if (example === undefined) return "";
  const uses = example.matchAll(/\bnew ([A-Z]\w+)\(|\b(get[A-Z]\w+)\(/g);
  const names = [...uses].map(([, type, lookup]) => type ?? lookup);
  const imported = `import { ${[...new Set(names)].sort().join(", ")} } from "${module}";`;
  return codeBlock("ts fragment", `${imported}\n\n${example}`);
}

/** Where a stack's YAML declares a resource, with the example that editors show. Empty for a resource that it cannot declare. */
export function stackExample(resource: string): string {
  const place = stackPlaces[resource];
  if (place === undefined) return "";
  const link = `[${code(place.path)}](${stackKeyAddress(place.path)})`;
  const [example] = place.documentation.examples ?? [];
  if (example === undefined) return `In a stack's YAML: ${link}.`;
  const [key = "", ...inner] = place.keys;
  const declared = inner.reduceRight<unknown>((value, one) => ({ [one]: value }), example);
  const config = { config: { [`${namespace}:${key}`]: declared } };
  const language = inner.length === 0 ? "yaml" : "yaml fragment";
  return joined(`In a stack's YAML, ${link}:`, codeBlock(language, stringify(config)));
}

interface StackPlace {
  /** The path of the object that declares the resource. */
  readonly path: string;
  /** The keys that lead to the example. */
  readonly keys: readonly string[];
  readonly documentation: KeyDocumentation;
}

const stackPlaces: Partial<Record<string, StackPlace>> = {
  Tenant: { path: "tenants.<key>", keys: ["tenants"], documentation: stackDocumentation.tenants },
  TenantFleet: { path: "fleets.<key>", keys: ["fleets"], documentation: stackDocumentation.fleets },
  Build: { path: "builds.<key>", keys: ["builds"], documentation: stackDocumentation.builds },
  SyncTrigger: {
    path: "tenants.<key>.sync",
    keys: ["tenants", "acme", "sync"],
    documentation: tenantDocumentation.sync,
  },
  FleetRollout: {
    path: "fleets.<key>.rollout",
    keys: ["fleets", "billing", "rollout"],
    documentation: fleetDocumentation.rollout,
  },
};
