import { z } from "zod";

const tenantSchema = z.looseObject({
  urn: z.string(),
  id: z.string(),
  type: z.string(),
  inputs: z.looseObject({ name: z.string() }),
  outputs: z.looseObject({ tenantId: z.int() }),
});
const stateSchema = z.looseObject({ deployment: z.looseObject({ resources: z.array(z.unknown()) }) });

/**
 * An exported state whose one tenant is there many times over: under these names, with ids that count up from its own,
 * and its name replaced wherever it stands.
 */
export function stateOfMany(exported: string, names: readonly string[]): string {
  const state = stateSchema.parse(JSON.parse(exported));
  const resources = state.deployment.resources.flatMap((resource): unknown[] => {
    const { data: tenant } = tenantSchema.safeParse(resource);
    return tenant === undefined ? [resource] : names.map((name, index) => copyOf(tenant, name, index));
  });
  return JSON.stringify({ ...state, deployment: { ...state.deployment, resources } });
}

function copyOf(tenant: z.infer<typeof tenantSchema>, name: string, index: number): unknown {
  const tenantId = tenant.outputs.tenantId + index;
  const own = tenant.inputs.name;
  return JSON.parse(
    JSON.stringify({ ...tenant, id: String(tenantId), outputs: { ...tenant.outputs, tenantId } }),
    (_, value) =>
      typeof value === "string" && (value === own || value.endsWith(`::${own}`))
        ? value.slice(0, -own.length) + name
        : value,
  );
}
