import type { OperationContext } from "../../operation/operation-context.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import { tenantById } from "../../operation/tenant-by-id.ts";
import { declarableSettings, warnOfLeftOut } from "../existing/declarable-settings.ts";
import { ImportIdError, parseRecordId } from "../existing/unique-keys.ts";
import type { Imported } from "../lifecycle.ts";
import { observedState } from "./observed-state.ts";
import type { TenantMetadataInputs, TenantMetadataState } from "./schema.ts";

/** Imports the metadata of the live tenant with an id: all keys that can be declared. */
export async function importTenantMetadata(
  context: OperationContext,
  id: string,
): Promise<Imported<TenantMetadataInputs, TenantMetadataState> | undefined> {
  const tenantId = parseRecordId(id);
  if (tenantId === undefined) throw new ImportIdError("TenantMetadata", id, "the id of the tenant, such as 5001");
  const found = await tenantById(context, tenantId);
  const live = found && (await readMetadata(context, found.integration.tenants, tenantId));
  if (found === undefined || live === undefined) return undefined;
  const { tenant, integration } = found;
  const { settings, leftOut } = await declarableSettings(context, integration, { tenant, metadata: live });
  const ofMetadata = leftOut.flatMap(({ path: [setting, ...keys], reason }) =>
    setting === "metadata" ? [{ path: ["data", ...keys], reason }] : [],
  );
  warnOfLeftOut(context, `metadata of tenant "${tenant.name}" (id ${tenantId})`, ofMetadata);
  return { id: String(tenantId), ...(await observedState(context, live, { tenantId, data: settings.metadata ?? {} })) };
}
