import type { JsonObject } from "../json/json-value.ts";
import type { ReleaseSchema } from "../json-schema/index.ts";
import { integrationScope } from "../operation/integration-scope.ts";
import type { OperationContext } from "../operation/operation-context.ts";
import { secretSchemas } from "../resources/existing/secret-schemas.ts";
import { portableKeys } from "../settings/portable-keys.ts";
import { type KeysName, type SomeSettings, tenantSettings } from "../settings/table.ts";

/** The keys of a tenant's `configs` or `metadata` whose values look like secrets, as an import and an export leave them out. */
export async function secretKeys(
  context: OperationContext,
  { tenantId, integrationId }: { tenantId: number; integrationId: number },
  name: KeysName,
  { [name]: values = {} }: SomeSettings,
): Promise<string[]> {
  const integration = await integrationScope(context, integrationId);
  const tenant = await integration.tenants.get(tenantId);
  const schemas = await secretSchemas(context, integration, tenant);
  return secretLooking(values, tenantSettings[name].schemaOf(schemas));
}

/** The keys of an object whose values look like secrets, by a schema, by their names or by their form. */
export function secretLooking(values: JsonObject, schema: ReleaseSchema): string[] {
  const { leftOut } = portableKeys("values", values, schema);
  return leftOut.flatMap(({ path: [, key], reason }) => (reason === "looks like a secret" && key ? [key] : []));
}
