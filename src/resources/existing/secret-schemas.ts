import type { Tenant } from "../../api/index.ts";
import { noSchema, type ReleaseSchema, unknownSchema } from "../../json-schema/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { releaseSchemas } from "../../operation/release-schemas.ts";
import { releaseToRun } from "../../settings/release.ts";
import type { Schemas } from "../../settings/setting.ts";

/**
 * The schemas that decide which values of a live tenant are secrets before others see them: in an export, an import, a status
 * or the result of a lookup. In doubt a value is a secret:
 * - A release that no list shows is requested by its id. If there is none, all values count as secrets.
 * - If the tenant shows no release, a value counts as a secret that any listed release of the integration marks as one.
 *
 * @param tenant `undefined` if it is no longer there.
 */
export async function secretSchemas(
  context: OperationContext,
  { record, releases }: IntegrationScope,
  tenant: Tenant | undefined,
): Promise<Schemas> {
  if (tenant === undefined) return { configs: unknownSchema, metadata: unknownSchema };
  const listed = await releaseToRun(releases, record, undefined, tenant);
  if (listed !== undefined) return releaseSchemas(context, listed);
  const id = tenant.integration_release_id;
  if (typeof id !== "number") {
    const schemas = (await releases.all()).map((release) => releaseSchemas(context, release));
    return {
      configs: secretMarks(schemas.map(({ configs }) => configs)),
      metadata: secretMarks(schemas.map((one) => one.metadata)),
    };
  }
  const unlisted = await releases.unlisted(id);
  if (unlisted !== undefined) return releaseSchemas(context, unlisted);
  context.warn(
    `integration "${record.name}" has no release ${id}, which tenants run, so their configs and metadata all count as secrets`,
  );
  return { configs: unknownSchema, metadata: unknownSchema };
}

/** What any of the schemas marks as a secret. Nothing else of them applies. */
export function secretMarks(schemas: readonly ReleaseSchema[]): ReleaseSchema {
  return {
    ...noSchema,
    isHidden: (path) => schemas.some((schema) => schema.isHidden(path)),
    isWriteOnly: (path) => schemas.some((schema) => schema.isWriteOnly(path)),
    namesAt: (path) => [...new Set(schemas.flatMap((schema) => schema.namesAt(path)))],
  };
}
