import { Document, isMap, isPair, isScalar, Scalar, visit } from "yaml";
import type { ExportedTenant } from "./export-tenants.ts";

/** The tenants as the `config` of a stack's YAML. What is left out stands in comments. */
export function writeStackYaml(tenants: readonly ExportedTenant[]): string {
  const entries = Object.fromEntries(tenants.map(({ key, entry }) => [key, entry]));
  const document = new Document({ config: { "integration-platform:tenants": entries } });
  const nodes = document.getIn(["config", "integration-platform:tenants"]);
  for (const { key, leftOut } of tenants) {
    const node = isMap(nodes) ? nodes.get(key) : undefined;
    const lines = leftOut.map(({ path, reason }) => ` ${path} is left alone: it ${reason}`);
    if (isMap(node) && lines.length > 0) node.comment = lines.join("\n");
  }
  // YAML has dialects: what is no plain word in all of them is quoted
  visit(document, (_, node) => {
    if (isPair(node) && isScalar(node.key) && !/^[a-z][\w:-]*$/i.test(String(node.key.value))) {
      node.key.type = Scalar.QUOTE_DOUBLE;
    }
  });
  return document.toString({ defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN", lineWidth: 0 });
}
