import { isDeepStrictEqual } from "node:util";
import { valueAt } from "../../json/key-path.ts";
import { hasUnknown, isUnknown } from "../../json/unknown.ts";
import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { OwnerKind } from "../../operation/ownership.ts";
import { settingEntries, settingsOf } from "../../settings/table.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import type { Difference } from "../lifecycle.ts";
import { describeRenamedIntegration } from "../renamed-integration.ts";
import { expectedRefusal } from "./archive-refusal.ts";
import { resolvedSettings, schemasOf } from "./desired.ts";
import { noteMovedLatest } from "./latest-moved.ts";
import type { WaitingFor } from "./observed-tenant.ts";
import { isOverridden, overrideWork } from "./override.ts";
import { observedInputsSchema, type TenantInputs, type TenantState } from "./schema.ts";
import { isWaitingUntil, reasonToWait } from "./waiting.ts";
import { type MayWait, withoutWaitingChoices } from "./waiting-choices.ts";

/** The difference between a tenant's last observed state and its inputs. Sends no request per tenant. */
export async function diffTenant(
  context: OperationContext,
  kind: OwnerKind,
  state: TenantState,
  inputs: object,
): Promise<Difference> {
  const { integrationId } = state;
  const wanted = valueAt(inputs, ["integration"]);
  // Unknown is not another one. The engine also asks with unknowns in an `up` that replaces what the integration is an output of,
  // and would then archive the tenant. It asks again once the integration is known.
  if (isUnknown(wanted)) return { isChanged: true };
  const wantedId = await integrationIdOf(context, wanted, state);
  if (wantedId !== integrationId) {
    if (wanted === state.integration) {
      const what = `tenant "${state.name}" (id ${state.tenantId})`;
      throw new Error(describeRenamedIntegration(what, state, wantedId));
    }
    await warnOfRefusal(context, state);
    return { isChanged: true, replaces: ["integration"] };
  }
  if (hasUnknown(inputs)) return { isChanged: true };
  if (state.latest !== undefined) {
    const integration = await integrationScope(context, integrationId);
    await noteMovedLatest(context, integration, await integration.tenants.get(state.tenantId), state.latest);
  }
  const now = observedInputsSchema.parse(inputs);
  const ignored = kind === "Tenant" ? ["integration"] : ["integration", "logicalName"]; // a fleet stores its own
  const before = observedInputsSchema.parse(state);
  const keys = Object.keys({ ...before, ...now }).filter((key) => !ignored.includes(key));
  const differing = keys.filter((key) => !isDeepStrictEqual(valueAt(before, [key]), valueAt(now, [key])));
  // the dynamic provider cannot tell the engine both: with only a change, the engine shows its path
  if (differing.length > 0 && !(await areEquivalent(context, state, now, differing))) return { isChanged: true };
  // an override may also begin and end by the clock, and a customer may connect, without a change of the program
  const work = overrideWork(state, await isOverridden(context, now.override, state.overridden));
  const ended = await endedWaits(context, state, now);
  const waitsForConnection = work !== "pause" && isWaitingUntil(state, "connected");
  const isDue = waitsForConnection ? ended.includes("connected") : work !== undefined;
  return { isChanged: false, ...(isDue || ended.includes("options") ? { isUnfinished: true } : {}) };
}

/** What has happened of all that a tenant waits for. */
async function endedWaits(
  context: OperationContext,
  state: TenantState,
  { configs, schemaViolations = context.schemaViolations }: TenantInputs,
): Promise<WaitingFor["until"][]> {
  if (state.waitingFor === undefined) return [];
  const integration = await integrationScope(context, state.integrationId);
  const tenant = await integration.tenants.get(state.tenantId);
  if (tenant === undefined) return [];
  const isConnected = isWaitingUntil(state, "connected") && reasonToWait({ tenant }, integration) === undefined;
  const awaited = state.waitingFor.filter(({ until }) => until === "options");
  const schemas = awaited.length === 0 ? undefined : await schemasOf(context, integration, undefined, tenant);
  const desired: MayWait | undefined = schemas && { settings: { configs }, resolved: {}, schemas, schemaViolations };
  const still = desired && withoutWaitingChoices(desired, integration, tenant).waiting?.waitingFor;
  const isOver = ({ path }: WaitingFor) => still?.some((one) => isDeepStrictEqual(one.path, path)) !== true;
  return [...(isConnected ? ["connected" as const] : []), ...(awaited.some(isOver) ? ["options" as const] : [])];
}

/** Warns that `up` will fail to replace a tenant, because a replacement archives it. */
async function warnOfRefusal(context: OperationContext, state: TenantState): Promise<void> {
  const refusal = await expectedRefusal(context, state.tenantId, state);
  if (refusal === undefined) return;
  context.warn(
    `tenant "${state.name}" (id ${state.tenantId}): up will refuse to replace it, because that archives it and it is connected ` +
      `or may be: ${refusal}. It will not if the resource has the option retainOnDelete, or if another one takes the tenant ` +
      "over. To replace it anyway, set forceArchive: true and run up before you change its integration",
  );
}

/** Whether the differing settings are semantically equal, for example except for white space or the schema's defaults. */
async function areEquivalent(
  context: OperationContext,
  state: TenantState,
  now: TenantInputs,
  differing: readonly string[],
) {
  const settings = settingEntries.filter(([name]) => differing.includes(name));
  const areComparable = settings.every(([, setting]) => setting.areEquivalent !== undefined);
  if (!areComparable || settings.length < differing.length) return false;
  const integration = await integrationScope(context, state.integrationId);
  // an observed release may be missing in the platform's list
  const found = await orUnknownName(resolvedSettings(integration.releases, settingsOf(now)));
  const { release } = found instanceof UnknownNameError ? {} : found;
  const tenant = release === undefined ? await integration.tenants.get(state.tenantId) : undefined;
  const schemas = await schemasOf(context, integration, release, tenant);
  return settings.every(([name, setting]) => {
    const [left, right] = [state[name], now[name]];
    return left !== undefined && right !== undefined && setting.areEquivalent?.(left, right, schemas) === true;
  });
}

/** The id of the declared integration. If it is declared as before, and the platform no longer lists it, this is the former id. */
async function integrationIdOf(context: OperationContext, declared: unknown, state: TenantState): Promise<number> {
  if (typeof declared === "number") return declared;
  const found = await orUnknownName(integrationScope(context, String(declared)));
  if (!(found instanceof UnknownNameError)) return found.id;
  if (declared !== state.integration) throw found;
  return state.integrationId;
}
