import type { Tenant } from "../../api/index.ts";
import { defined } from "../../json/defined.ts";
import { noSchema } from "../../json-schema/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { secretTable } from "../../secrets/secret-table.ts";
import type { Observed, Schemas } from "../../settings/setting.ts";
import { type SomeSettings, settingsOf } from "../../settings/table.ts";
import { changedKeys, noteKeysOfForm, noteKeysOfRuns } from "./changed-by-others.ts";
import { areKeysAsDeclared, keptHistory, observedSettings, unresolvedPaths, warnOfAbsentFields } from "./comparison.ts";
import { schemasOf } from "./desired.ts";
import { noteMovedLatest } from "./latest-moved.ts";
import { type KeptHistory, keptProperties, type ObservedTenant, storedHistory } from "./observed-tenant.ts";
import { observedOverride } from "./override.ts";
import type { TenantInputs, TenantState } from "./schema.ts";
import { isWaitingUntil } from "./waiting.ts";
import { type WaitingChoices, withoutWaitingChoices, withWaitingChoices } from "./waiting-choices.ts";

/**
 * The inputs and the state of a resource after a read of its tenant.
 *
 * @param observed the tenant, and its metadata if the state has some.
 * @param before the state before the read.
 */
export async function observedState(
  context: OperationContext,
  integration: IntegrationScope,
  { tenant, metadata }: Observed,
  before: TenantState,
): Promise<{ inputs: TenantInputs; state: TenantState }> {
  const { paused: declaredPaused, overridden, latest } = before;
  await noteMovedLatest(context, integration, tenant, latest);
  const isManaged = overridden === undefined; // otherwise the override decides whether the tenant is paused
  const declaredSettings = settingsOf({ ...before, paused: isManaged ? declaredPaused : undefined });
  // values that are exactly as declared need no schema for a comparison
  const schemas = areKeysAsDeclared(declaredSettings, { tenant, metadata })
    ? { configs: noSchema, metadata: noSchema }
    : await schemasOf(context, integration, undefined, tenant);
  const { settings, waiting } = stillWithoutChoices(
    context,
    integration,
    { tenant, before, schemas },
    declaredSettings,
  );
  const history = storedHistory(settings, before);
  const seen = { integration, id: tenant.id, tenant, metadata, isRead: true, history };
  const { secretPaths = [] } = before;
  const declared = { settings, schemas, secrets: secretTable(context, settings), secretPaths, waiting };
  const seenSettings = await observedSettings(declared, seen);
  const configs = withWaitingChoices(seenSettings.configs, waiting, before.configs);
  const observed = { ...seenSettings, configs };
  noteKeysOfRuns(context, { tenant }, changedKeys(before.metadata, observed.metadata));
  noteKeysOfForm(context, schemas, changedKeys(before.configs, observed.configs));
  warnOfAbsentFields(context, settings, tenant);
  context.recordNotCompared({ tenantId: tenant.id, paths: unresolvedPaths(declared, seen) });
  // the resource's owner is found by the declared name, even if somebody renamed the tenant outside of Pulumi
  const { declaredName: ownName = before.name } = before;
  const declaredName = ownName === tenant.name ? undefined : ownName;
  const override = isManaged ? before.override : await observedOverride(context, before, tenant);
  const inputs = inputsOf({ ...before, override }, isManaged ? observed : { ...observed, paused: declaredPaused });
  return {
    inputs,
    state: defined({ ...stateOf(inputs, seen, { ...keptHistory(declared, seen), latest, overridden }), declaredName }),
  };
}

/** The settings without the choices that have waited since the last `up`, if they still do. */
function stillWithoutChoices(
  { schemaViolations }: Pick<OperationContext, "schemaViolations">,
  integration: IntegrationScope,
  { tenant, before, schemas }: { tenant: Tenant; before: TenantState; schemas: Schemas },
  settings: SomeSettings,
): { settings: SomeSettings; waiting?: WaitingChoices | undefined } {
  if (!isWaitingUntil(before, "options")) return { settings };
  const declared = { settings, resolved: {}, schemas, schemaViolations: before.schemaViolations ?? schemaViolations };
  return withoutWaitingChoices(declared, integration, tenant);
}

/** The inputs with their settings replaced. */
export function inputsOf(inputs: TenantInputs, settings: SomeSettings): TenantInputs {
  const { integration, name, adopt, forceArchive, override, schemaViolations, logicalName, secretPaths } = inputs;
  return defined({
    integration,
    ...settingsOf({ ...settings, name: settings.name ?? name }),
    adopt,
    forceArchive,
    override,
    schemaViolations,
    logicalName,
    secretPaths,
  });
}

/** The state of a resource with these inputs. */
export function stateOf(
  inputs: TenantInputs,
  { id, integration }: Pick<ObservedTenant, "id" | "integration">,
  { overridden, ...kept }: KeptHistory & Pick<TenantState, "overridden">,
): TenantState {
  return defined({ ...inputs, tenantId: id, integrationId: integration.id, ...keptProperties(kept), overridden });
}
