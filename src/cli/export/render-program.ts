import { type ExportedFleet, type ExportedTenant, leftOutLine } from "./exported-tenants.ts";

/** The tenants as a TypeScript program. A comment names each setting that is not exported. */
export function renderTenantProgram(tenants: readonly ExportedTenant[]): string {
  const statements = tenants.map((tenant) => {
    const { key, entry } = tenant;
    return `${comments(tenant)}new Tenant(${JSON.stringify(key)}, ${JSON.stringify(entry, null, 2)});\n`;
  });
  return ['import { Tenant } from "pulumi-integration-platform";\n', ...statements].join("\n");
}

/** The fleets as a TypeScript program. A comment names each setting that is not exported. */
export function renderFleetProgram(fleets: readonly ExportedFleet[]): string {
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
  return leftOut.map((setting) => `// ${leftOutLine(setting)}\n`).join("");
}

/** Indents each line. JSON escapes line feeds in strings, so every line feed ends a line of the program. */
function indented(lines: string): string {
  return lines.replace(/(?<=^|\n)(?=[^\n])/g, "  ");
}
