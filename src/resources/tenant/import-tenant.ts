import type { OperationContext } from "../../operation/operation-context.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import { type PlacedTenant, tenantById } from "../../operation/tenant-by-id.ts";
import type { LeftOut } from "../../settings/setting.ts";
import { settingsOf } from "../../settings/table.ts";
import { declarableSettings, integrationNameOrId, warnOfLeftOut } from "../existing/declarable-settings.ts";
import { ImportIdError, parseRecordId } from "../existing/unique-keys.ts";
import type { Imported } from "../lifecycle.ts";
import { latestOf } from "./latest-moved.ts";
import { observedState } from "./observed-state.ts";
import { describeTenant } from "./observed-tenant.ts";
import type { TenantInputs, TenantState } from "./schema.ts";

/** Imports the live tenant with an id: all of its settings that can be declared. */
export async function importTenant(
  context: OperationContext,
  id: string,
): Promise<Imported<TenantInputs, TenantState> | undefined> {
  const tenantId = parseRecordId(id);
  if (tenantId === undefined) throw new ImportIdError("Tenant", id, "the id of the tenant, such as 5001");
  const found = await tenantById(context, tenantId);
  if (found === undefined) return undefined;
  const imported = await importLiveTenant(context, found);
  if (imported === undefined) return undefined;
  const { leftOut, ...read } = imported;
  warnOfLeftOut(context, describeTenant({ id: tenantId, tenant: found.tenant }), leftOut);
  return { id: String(tenantId), ...read };
}

/** The inputs and the state of a live tenant; `undefined` if it has been archived meanwhile. */
export async function importLiveTenant(
  context: OperationContext,
  { tenant, integration }: PlacedTenant,
): Promise<{ inputs: TenantInputs; state: TenantState; leftOut: LeftOut[] } | undefined> {
  const metadata = await readMetadata(context, integration.tenants, tenant.id);
  if (metadata === undefined) return undefined;
  const { settings, leftOut } = await declarableSettings(context, integration, { tenant, metadata });
  const declared = {
    integration: await integrationNameOrId(context, integration),
    ...settingsOf({ ...settings, name: tenant.name }),
    tenantId: tenant.id,
    integrationId: integration.id,
    latest: await latestOf(integration, tenant),
  };
  return { ...(await observedState(context, integration, { tenant, metadata }, declared)), leftOut };
}
