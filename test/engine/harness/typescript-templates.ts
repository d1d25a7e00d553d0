/** Uses every entry point, and is wrong where it says so. */
export const program = `
import type * as pulumi from "@pulumi/pulumi";
import { getTenant, SyncTrigger, Tenant, TenantFleet } from "pulumi-integration-platform";
import { createClient } from "pulumi-integration-platform/api";
import { createEmulator } from "pulumi-integration-platform/emulator";
import { Provider, Tenant as NativeTenant } from "pulumi-integration-platform/native";
import { tenant } from "pulumi-integration-platform/provider";
import { WebhookReceiver } from "pulumi-integration-platform/receiver";
import { eventHandlers } from "pulumi-integration-platform/receiver/events";

export function declare(): pulumi.Output<number> {
  const acme = new Tenant("acme", { integration: "crm-to-billing", release: { channel: "Latest" }, configs: { a: 1 } });
  new TenantFleet("fleet", { integration: "crm-to-billing", tenants: { acme: { paused: false } } });
  new WebhookReceiver("hooks", { tokens: ["a token"] });
  const eu = new Provider("eu", { baseUrl: "https://eu.platform.example", allowInsecureHttp: ["eu.platform.example"] });
  const native: Tenant = new NativeTenant("native", { integration: "crm-to-billing" }, { provider: eu });
  NativeTenant.get("existing", native.id);
  // @ts-expect-error: a tenant needs an integration
  new Tenant("nobody", {});
  // @ts-expect-error: there is no such mode
  new SyncTrigger("wrong", { tenantId: acme.tenantId, mode: "slow" });
  return acme.tenantId;
}
export const read = (): Promise<number> => getTenant({ id: 1 }).then((found) => found.tenantId);
export const handler = eventHandlers({ onTenantCreated: (created) => created.tenant_name?.toUpperCase() });

async function main(): Promise<void> {
  const emulator = await createEmulator();
  // @ts-expect-error: a client needs a key
  const wrong = (): unknown => createClient({ baseUrl: emulator.url });
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.apiKey });
  for await (const { name } of client.integrations.list()) console.log(name);
  console.log(typeof tenant, typeof wrong, typeof WebhookReceiver);
  await client.close();
  await emulator.close();
}
main();
`;
/** What the program prints. */
export const printed = "crm-to-billing\nshop-to-erp\nhr-to-payroll\nobject function function\n";

export interface Template {
  /** Default `ts`. */
  readonly extension?: "ts" | "mts" | "cts";
  /** `type` of package.json. */
  readonly type?: "commonjs" | "module";
  readonly compilerOptions: Readonly<Record<string, unknown>>;
}

const officialOptions = {
  strict: true,
  experimentalDecorators: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};

/** The compiler options of Pulumi's template from 2018 to 2024. */
export const options2018 = { ...officialOptions, target: "es2016", module: "commonjs", moduleResolution: "node" };

/** TypeScript 6 takes `moduleResolution: node` only with this. */
const ignoreDeprecations = "6.0";

/** Most do not check the declarations of packages again: the first, the third and the fifth do, as is TypeScript's default. */
const skipLibCheck = true;

export const templates: Readonly<Record<string, Template>> = {
  "Pulumi's template since 2026": {
    compilerOptions: { ...officialOptions, target: "es2020", module: "nodenext", moduleResolution: "nodenext" },
  },
  "Pulumi's template since 2024": {
    compilerOptions: { ...options2018, target: "es2020", ignoreDeprecations, skipLibCheck },
  },
  "Pulumi's template since 2018": {
    compilerOptions: { ...options2018, ignoreDeprecations },
  },
  "CommonJS of node16": { compilerOptions: { target: "es2022", module: "node16", skipLibCheck } },
  "ES modules of node16": { type: "module", compilerOptions: { target: "es2022", module: "node16" } },
  "CommonJS of node16 as .cts": {
    extension: "cts",
    type: "module",
    compilerOptions: { module: "node16", skipLibCheck },
  },
  "ES modules of nodenext, as .mts": { extension: "mts", compilerOptions: { module: "nodenext", skipLibCheck } },
  "ES modules for a bundler": {
    type: "module",
    compilerOptions: { target: "es2022", module: "esnext", moduleResolution: "bundler", skipLibCheck },
  },
  "CommonJS for a bundler": { compilerOptions: { module: "commonjs", moduleResolution: "bundler", skipLibCheck } },
  "isolatedModules and verbatimModuleSyntax": {
    type: "module",
    compilerOptions: { module: "nodenext", isolatedModules: true, verbatimModuleSyntax: true, skipLibCheck },
  },
};
