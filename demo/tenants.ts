import { z } from "zod";
import { table } from "../src/cli/fit.ts";
import type { Sandbox } from "./sandbox.ts";

const tenantsSchema = z.array(
  z.object({
    id: z.number(),
    name: z.string(),
    integration_id: z.number(),
    paused: z.boolean(),
    user_schedule: z.string().nullable(),
    integration_release_id: z.number().nullable(),
    integration_release_channel: z.string().nullable(),
    configs: z.record(z.string(), z.unknown()),
  }),
);

export type ListedTenant = z.infer<typeof tenantsSchema>[number];

/** The live tenants, as the platform's API lists them, by name. */
export async function listTenants({ call }: Sandbox): Promise<Map<string, ListedTenant>> {
  const tenants = tenantsSchema.parse(await call("GET", "/v2/tenants?limit=500"));
  return new Map(tenants.map((tenant) => [tenant.name, tenant]));
}

/** One line per tenant, below a headline. */
export function tenantTable(tenants: Iterable<ListedTenant>): string {
  const rows = [...tenants].map((tenant) => [
    tenant.name,
    String(tenant.id),
    String(tenant.integration_id),
    tenant.integration_release_channel ?? String(tenant.integration_release_id),
    tenant.user_schedule ?? "none of its own",
    tenant.paused ? "paused" : "active",
  ]);
  return table([["TENANT", "ID", "INTEGRATION", "RELEASE", "SCHEDULE", "STATE"], ...rows]);
}
