/** The settings of a tenant that every contender declares, besides its name and integration. */
export interface DeclaredTenant {
  readonly paused: boolean;
  readonly configs: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Tenants by name. */
export type Workload = Readonly<Record<string, DeclaredTenant>>;

/** A declared tenant with its name. */
export interface NamedTenant extends DeclaredTenant {
  readonly name: string;
}

/** The tenants of a workload, sorted by name. */
export function tenantsOf(workload: Workload): NamedTenant[] {
  return byName(Object.entries(workload).map(([name, tenant]) => ({ name, ...tenant })));
}

/** Sorts tenants by name. Tenants with the same name all stay in the list. */
export function byName(tenants: readonly NamedTenant[]): NamedTenant[] {
  return tenants.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** The built-in integration of the emulator that all tenants belong to. */
export const integrationId = 101;

/** A workload of `size` tenants, each with 200 bytes of configs. */
export function workloadOf(size: number): Workload {
  return Object.fromEntries(Array.from({ length: size }, (_, index) => tenantAt(index)));
}

/** The same tenants, with another value of one config key in a tenth of them. */
export function withChanges(workload: Workload): Workload {
  const changed = Object.entries(workload).map(([name, tenant], index) => [
    name,
    index % 10 === 0 ? { ...tenant, configs: { ...tenant.configs, region: "us" } } : tenant,
  ]);
  return Object.fromEntries(changed);
}

/** The names of the tenants that somebody changes by hand: a hundredth of them, at least one. */
export function driftingNames(workload: Workload): readonly string[] {
  return Object.keys(workload).filter((_, index) => index % 100 === 0);
}

/** The configs of a drifting tenant after the change by hand. */
export function driftedConfigs({ configs }: DeclaredTenant): DeclaredTenant["configs"] {
  return { ...configs, region: "uk" };
}

function tenantAt(index: number): [string, DeclaredTenant] {
  const name = `tenant-${String(index).padStart(5, "0")}`;
  const configs = {
    region: "eu",
    batch_size: 100 + (index % 900),
    endpoint: `https://billing.example.com/customers/${name}`,
    mapping: { id: "customer_number", name: "display_name", mail: "billing_mail", vat: "tax_number" },
  };
  return [name, { paused: false, configs, metadata: { plan: "gold" } }];
}
