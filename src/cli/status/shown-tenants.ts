import type { JsonObject } from "../../json/json-value.ts";
import { asRead } from "../../json/number-sources.ts";
import type { ReleaseSchema } from "../../json-schema/index.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { secretSchemas } from "../../resources/existing/secret-schemas.ts";
import { portableKeys } from "../../settings/portable-keys.ts";
import type { SelectedTenant } from "../tenants/select-tenants.ts";
import type { ShownTenant } from "./fleet-status.ts";

/**
 * The tenants for programs. Values of configs and metadata that look like secrets are left out, as `export` does: the output
 * of a pipeline is kept for long.
 */
export async function shownTenants(
  context: OperationContext,
  selected: readonly SelectedTenant[],
  { metadata: showsMetadata }: { metadata: boolean },
): Promise<ShownTenant[]> {
  return Promise.all(
    selected.map(async ({ tenant, scope, fields: { configs, metadata, ...fields } }) => {
      const schemas = await secretSchemas(context, scope, tenant);
      const shown = { ...fields, configs: withoutSecrets("configs", configs, schemas.configs) };
      if (!showsMetadata || typeof metadata === "symbol") return shown;
      return { ...shown, metadata: withoutSecrets("metadata", metadata, schemas.metadata) };
    }),
  );
}

function withoutSecrets(name: string, values: JsonObject, schema: ReleaseSchema): JsonObject {
  const { leftOut } = portableKeys(name, values, schema);
  const secrets = leftOut.flatMap(({ path, reason }) => (reason === "looks like a secret" ? path.slice(1) : []));
  return Object.fromEntries(Object.entries(asRead(values)).filter(([key]) => !secrets.includes(key)));
}
