import { commentLines, type ExportedFleet, type ExportedTenant } from "./exported-tenants.ts";
import { type SharedDefaults, shareDefaults } from "./shared-defaults.ts";
import { brokenObject, typescriptKey, typescriptLiteral, typescriptString } from "./typescript-literal.ts";

/**
 * The tenants as a TypeScript program, formatted as Prettier and Biome do. What most tenants of an integration share is a
 * constant. Comments name the settings that are not exported.
 */
export function renderTenantProgram(tenants: readonly ExportedTenant[]): string {
  const groups = [...Map.groupBy(tenants, ({ entry }) => entry.integration).entries()];
  const nameOf = constantNames(groups.length);
  const statements = groups.flatMap(([integration, group]) => {
    const shared = shareDefaults(group);
    const constant = defaultsConstant(nameOf(String(integration)), "TenantArgs", shared);
    const spreads = constant === undefined ? [] : [constant.name];
    const own = group.map((tenant) => {
      const entry = shared.entries[tenant.key] ?? {};
      const comment = commentLines(tenant, entry).map((line) => `// ${line}\n`);
      const args = (indentation: number) => brokenObject(entry, spreads, indentation);
      return `${comment.join("")}${newResource("Tenant", tenant.key, args)}`;
    });
    return [...(constant === undefined ? [] : [constant.statement]), ...own];
  });
  return program("Tenant", "TenantArgs", statements);
}

/** The fleets as a TypeScript program, in the same way. */
export function renderFleetProgram(fleets: readonly ExportedFleet[]): string {
  const nameOf = constantNames(fleets.length);
  const statements = fleets.flatMap(({ key, integration, tenants }) => {
    const shared = shareDefaults(tenants);
    const constant = defaultsConstant(nameOf(key), "FleetTenantArgs", shared);
    const spreads = constant === undefined ? [] : [constant.name];
    const args = (indentation: number) => {
      const space = " ".repeat(indentation);
      const entries = tenants.map((tenant) => {
        const entry = shared.entries[tenant.key] ?? {};
        const comment = commentLines(tenant, entry).map((line) => `${space}    // ${line}\n`);
        const declared = brokenObject(entry, spreads, indentation + 4);
        return `${comment.join("")}${space}    ${typescriptKey(tenant.key)}: ${declared},\n`;
      });
      const fields = `${space}  integration: ${typescriptLiteral(integration, { column: 0, indentation })},\n`;
      return `{\n${fields}${space}  tenants: {\n${entries.join("")}${space}  },\n${space}}`;
    };
    return [...(constant === undefined ? [] : [constant.statement]), newResource("TenantFleet", key, args)];
  });
  return program("TenantFleet", "FleetTenantArgs", statements);
}

function program(resource: string, args: string, statements: readonly string[]): string {
  const usesDefaults = statements.some((statement) => /^const /m.test(statement));
  const names = usesDefaults ? [resource, args].sort() : [resource];
  const imported = names.map((name) => (name === args ? `type ${name}` : name)).join(", ");
  return [`import { ${imported} } from "pulumi-integration-platform";\n`, ...statements].join("\n");
}

interface Constant {
  name: string;
  statement: string;
}

/** A constant with the defaults, `undefined` if there are none. */
function defaultsConstant(name: string, args: string, { defaults, notes }: SharedDefaults): Constant | undefined {
  if (Object.keys(defaults).length === 0) return undefined;
  const comment = commentLines({ leftOut: [], notes }, defaults).map((line) => `// ${line}\n`);
  const value = `${brokenObject(defaults, [], 0)} satisfies Partial<${args}>`;
  return { name, statement: `${comment.join("")}const ${name} = ${value};\n` };
}

/** A name for the defaults of each group: `crmToBillingDefaults`, and `defaults` if there is only one group. */
function constantNames(groups: number): (key: string) => string {
  const taken = new Set<string>();
  return (key) => {
    const words =
      key
        .normalize("NFKD")
        .replace(/\p{M}/gu, "")
        .match(/[a-z0-9]+/gi) ?? [];
    const [first = "tenant", ...others] = words.map((word) => word.toLowerCase());
    const camelCase = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
    const start = groups === 1 ? "defaults" : `${/^\d/.test(camelCase) ? "integration" : ""}${camelCase}Defaults`;
    let name = start;
    for (let number = 2; taken.has(name); number += 1) name = `${start}${number}`;
    taken.add(name);
    return name;
  };
}

function newResource(type: string, key: string, argsAt: (indentation: number) => string): string {
  const name = typescriptString(key);
  if (`new ${type}(${name}, {`.length <= 80) return `new ${type}(${name}, ${argsAt(0)});\n`;
  // Formatters put each argument in a line of its own if the first line would be too long.
  return `new ${type}(\n  ${name},\n  ${argsAt(2)},\n);\n`;
}
