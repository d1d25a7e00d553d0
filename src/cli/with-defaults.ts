import type { TenantDefaults, TenantEntry } from "../stack/schema.ts";
import type { ExportedTenant } from "./export-tenants.ts";

/** Tenants by key, and what is merged under each of them. */
export interface WithDefaults {
  defaults: TenantDefaults;
  entries: Record<string, Partial<TenantEntry>>;
}

/**
 * The engine hands a stack's config to the program as one variable of its environment, which holds 128 KiB on Linux: so
 * what all tenants say is said once. A setting that some tenants do not declare is no default, as it would be theirs too.
 */
export function withDefaults(tenants: readonly ExportedTenant[]): WithDefaults {
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
