import type { ExportedTenant } from "./export-tenants.ts";
import { inLine } from "./in-line.ts";

/** The tenants as a TypeScript program. What is left out stands in comments. */
export function writeProgram(tenants: readonly ExportedTenant[]): string {
  const statements = tenants.map(({ key, entry, leftOut }) => {
    const comments = leftOut.map(({ path, reason }) => `// ${inLine(path)} is left alone: it ${reason}\n`).join("");
    return `${comments}new Tenant(${JSON.stringify(key)}, ${JSON.stringify(entry, null, 2)});\n`;
  });
  return ['import { Tenant } from "pulumi-integration-platform";\n', ...statements].join("\n");
}
