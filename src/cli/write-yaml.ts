import { Document, isMap, isPair, isScalar, Scalar, visit } from "yaml";
import { inLine } from "../in-line.ts";
import type { ExportedTenant } from "./export-tenants.ts";

/** Where tenants stand by their keys. */
export interface TenantsPlace {
  path: readonly string[];
  tenants: readonly ExportedTenant[];
}

/** A value as YAML; what is left out of its tenants stands in comments. */
export function writeYaml(value: object, places: readonly TenantsPlace[]): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  for (const { path, tenants } of places) {
    const nodes = document.getIn(path);
    for (const { key, leftOut } of tenants) {
      const node = isMap(nodes) ? nodes.get(key) : undefined;
      const lines = leftOut.map(({ path, reason }) => ` ${inLine(path)} is left alone: it ${reason}`);
      if (isMap(node) && lines.length > 0) node.comment = lines.join("\n");
    }
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

function isPlainWord(text: string) {
  return /^[a-z][\w:-]*$/i.test(text) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(text);
}
