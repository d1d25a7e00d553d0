/** A way to declare the same tenants: the text of a Pulumi program. */
export interface Contender {
  name: string;
  program: (tenants: number) => string;
}

const settings = (tenants: number) => `
const settings = Array.from({ length: ${tenants} }, (_, index) => [
  \`tenant-\${index}\`,
  { paused: false, configs: { region: "eu", batch_size: 1 + (index % 1000) }, metadata: { plan: "gold" } },
] as const);`;

export const contenders: readonly Contender[] = [
  {
    name: "tenants",
    program: (tenants) => `import { Tenant } from "pulumi-integration-platform";
${settings(tenants)}
for (const [name, args] of settings) new Tenant(name, { integration: "crm-to-billing", ...args });
`,
  },
  {
    name: "fleet",
    program: (tenants) => `import { TenantFleet } from "pulumi-integration-platform";
${settings(tenants)}
new TenantFleet("all", { integration: "crm-to-billing", tenants: Object.fromEntries(settings) });
`,
  },
];
