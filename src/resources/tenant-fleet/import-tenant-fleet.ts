import { type IntegrationScope, integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import { integrationNameOrId, type NotImported, warnOfLeftOut } from "../existing/declarable-settings.ts";
import { byName, ImportIdError, parseRecordId, uniqueKeys } from "../existing/unique-keys.ts";
import type { Imported } from "../lifecycle.ts";
import { importLiveTenant } from "../tenant/import-tenant.ts";
import { allAtOnce } from "./all-at-once.ts";
import { describeFleet, entryStateOf } from "./entry.ts";
import { inputsOf, withTenantIds } from "./observed-state.ts";
import type { FleetEntryState, TenantFleetInputs, TenantFleetState } from "./schema.ts";

/**
 * Imports all live tenants of an integration as one fleet. The id is `<integration>/<name>`: the name or id of the
 * integration, and the name that the fleet gets. The keys of the tenants are those of `integration-platform export`.
 */
export async function importTenantFleet(
  context: OperationContext,
  id: string,
): Promise<Imported<TenantFleetInputs, TenantFleetState>> {
  const { scope, name } = await integrationAndName(context, id);
  const live = [...(await scope.tenants.all()).values()].sort(byName);
  const keyOf = uniqueKeys(live);
  const found = new Map<string, { entry: FleetEntryState; leftOut: NotImported[] }>();
  const { failed } = await allAtOnce(context, {
    fleet: { name },
    what: "tenants read",
    items: live,
    work: async (tenant) => {
      const imported = await importLiveTenant(context, { tenant, integration: scope });
      if (imported === undefined) return;
      const key = keyOf(tenant);
      const leftOut = imported.leftOut.map((setting) => ({ tenant: `${key} (${tenant.id})`, ...setting }));
      found.set(key, { entry: entryStateOf(key, {}, imported.state), leftOut });
    },
  });
  if (failed.length > 0) throw failed[0]?.error;
  const imported = live.map(keyOf).flatMap((key) => {
    const tenant = found.get(key);
    return tenant === undefined ? [] : [{ key, ...tenant }];
  });
  const state = withTenantIds({
    integration: await integrationNameOrId(context, scope),
    name,
    integrationId: scope.id,
    tenants: Object.fromEntries(imported.map(({ key, entry }) => [key, entry])),
  });
  warnOfLeftOut(
    context,
    describeFleet(state),
    imported.flatMap(({ leftOut }) => leftOut),
  );
  return { id: `${scope.id}/${name}`, inputs: inputsOf(state), state };
}

/**
 * The integration that an id names, and the name of the fleet. Names of integrations and fleets may have a `/`, so the first
 * `/` that has an existing integration before it separates them.
 *
 * @throws UnknownNameError if no integration exists that the id could mean.
 */
async function integrationAndName(
  context: OperationContext,
  id: string,
): Promise<{ scope: IntegrationScope; name: string }> {
  let miss: UnknownNameError | undefined;
  for (const { index } of id.matchAll(/\//g)) {
    const [integration, name] = [id.slice(0, index), id.slice(index + 1)];
    if (integration === "" || name === "") continue;
    const scope = await orUnknownName(integrationScope(context, parseRecordId(integration) ?? integration));
    if (!(scope instanceof UnknownNameError)) return { scope, name };
    miss ??= scope;
  }
  if (miss !== undefined) throw miss;
  throw new ImportIdError(
    "TenantFleet",
    id,
    "the name or id of the integration and the name of the fleet with a / between them, such as crm-to-billing/billing",
  );
}
