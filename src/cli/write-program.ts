import { inLine } from "../in-line.ts";
import type { ExportedFleet } from "./export-fleets.ts";
import type { ExportedTenant } from "./export-tenants.ts";

/** The tenants as a TypeScript program. What is left out stands in comments. */
export function writeProgram(tenants: readonly ExportedTenant[]): string {
  const statements = tenants.map((tenant) => {
    const { key, entry } = tenant;
    return `${comments(tenant)}new Tenant(${JSON.stringify(key)}, ${JSON.stringify(entry, null, 2)});\n`;
  });
  return ['import { Tenant } from "pulumi-integration-platform";\n', ...statements].join("\n");
}

/** The fleets as a TypeScript program. What is left out stands in comments. */
export function writeFleetProgram(fleets: readonly ExportedFleet[]): string {
  const statements = fleets.map(({ key, integration, tenants }) => {
    const entries = tenants.map((tenant) => {
      return `${comments(tenant)}${JSON.stringify(tenant.key)}: ${JSON.stringify(tenant.entry, null, 2)},\n`;
    });
    const declared = `integration: ${JSON.stringify(integration)},\ntenants: {\n${indented(entries.join(""))}},\n`;
    return `new TenantFleet(${JSON.stringify(key)}, {\n${indented(declared)}});\n`;
  });
  return ['import { TenantFleet } from "pulumi-integration-platform";\n', ...statements].join("\n");
}

function comments({ leftOut }: ExportedTenant): string {
  return leftOut.map(({ path, reason }) => `// ${inLine(path)} is left alone: it ${reason}\n`).join("");
}

/** JSON has no line ends in its texts, so that each line feed is one of the program's own. */
function indented(lines: string): string {
  return lines.replace(/(?<=^|\n)(?=[^\n])/g, "  ");
}
