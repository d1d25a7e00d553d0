import { Document, isMap, isPair, isScalar, Scalar, visit } from "yaml";
import type { TenantDefaults } from "../stack/schema.ts";
import type { ExportedTenant } from "./export-tenants.ts";
import { inLine } from "./in-line.ts";

/**
 * The tenants as the `config` of a stack's YAML, with what most of them share as `tenantDefaults`. What is left out stands
 * in comments.
 */
export function writeStackYaml(tenants: readonly ExportedTenant[]): string {
  const { defaults, entries } = withDefaults(tenants);
  const document = new Document(
    {
      config: {
        ...(Object.keys(defaults).length === 0 ? {} : { "integration-platform:tenantDefaults": defaults }),
        "integration-platform:tenants": entries,
      },
    },
    { aliasDuplicateObjects: false },
  );
  const nodes = document.getIn(["config", "integration-platform:tenants"]);
  for (const { key, leftOut } of tenants) {
    const node = isMap(nodes) ? nodes.get(key) : undefined;
    const lines = leftOut.map(({ path, reason }) => ` ${inLine(path)} is left alone: it ${reason}`);
    if (isMap(node) && lines.length > 0) node.comment = lines.join("\n");
  }
  // YAML has dialects: what is no plain word in all of them is quoted
  visit(document, (_, node) => {
    if (isPair(node) && isScalar(node.key) && !isPlainWord(String(node.key.value))) {
      node.key.type = Scalar.QUOTE_DOUBLE;
    }
  });
  const text = document.toString({ defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN", lineWidth: 0 });
  // what is left of these stands between double quotes, where YAML 1.1 would take some for the end of a line
  return text.split("\n").map(inLine).join("\n");
}

/**
 * The engine hands a stack's config to the program as one variable of its environment, which holds 128 KiB on Linux: so
 * what all tenants say is said once. A setting that some tenants do not declare is no default, as it would be theirs too.
 */
function withDefaults(tenants: readonly ExportedTenant[]) {
  const fields = ["integration", "release", "schedule", "paused"] as const;
  const defaults: TenantDefaults = {};
  const isDefault = new Set<string>();
  for (const field of tenants.length > 1 ? fields : []) {
    const bearers = [...Map.groupBy(tenants, ({ entry }) => JSON.stringify(entry[field])).entries()];
    const [most] = bearers.sort(([, left], [, right]) => right.length - left.length);
    if (most === undefined || tenants.some(({ entry }) => entry[field] === undefined)) continue;
    Object.assign(defaults, { [field]: most[1][0]?.entry[field] });
    isDefault.add(JSON.stringify([field, most[0]]));
  }
  const own = ({ key, entry }: ExportedTenant) => [
    key,
    Object.fromEntries(
      Object.entries(entry).filter(([field, value]) => !isDefault.has(JSON.stringify([field, JSON.stringify(value)]))),
    ),
  ];
  return { defaults, entries: Object.fromEntries(tenants.map(own)) };
}

function isPlainWord(text: string) {
  return /^[a-z][\w:-]*$/i.test(text) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(text);
}
