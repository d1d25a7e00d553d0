import { isDeepStrictEqual } from "node:util";
import { hasUnknown, valueAt } from "../../json-schema/index.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import { meansTheSame, partOf } from "../declared-keys.ts";
import { integrationScope } from "../integration-scope.ts";
import type { Difference } from "../lifecycle.ts";
import type { Platform } from "../platform.ts";
import { schemasOf } from "./desired.ts";
import { resolveRelease } from "./release.ts";
import { isSameSchedule } from "./schedule.ts";
import { observedInputsSchema, type TenantInputs, type TenantState } from "./schema.ts";

/** How a tenant, as last observed, differs from its inputs. Asks the platform for nothing that is not shared by all. */
export async function diffTenant(platform: Platform, state: TenantState, inputs: object): Promise<Difference> {
  const { tenantId: _, integrationId, unreadablePaths: __, declaredName: ___, ...before } = state;
  const wanted = valueAt(inputs, ["integration"]);
  if (wanted !== state.integration && (await integrationIdOf(platform, wanted)) !== integrationId) {
    return { isChanged: true, replaces: ["integration"] };
  }
  if (hasUnknown(inputs)) return { isChanged: true };
  const now = observedInputsSchema.parse(inputs);
  const keys = Object.keys({ ...before, ...now }).filter((key) => key !== "integration");
  const differing = keys.filter((key) => !isDeepStrictEqual(valueAt(before, [key]), valueAt(now, [key])));
  if (differing.length === 0) return { isChanged: false };
  return { isChanged: !(await areEquivalent(platform, state, now, differing)) };
}

/** Whether what differs means the same: a schedule but for white space, configs and metadata but for the schema's defaults. */
async function areEquivalent(platform: Platform, state: TenantState, now: TenantInputs, differing: readonly string[]) {
  if (!differing.every((field) => ["schedule", "configs", "metadata"].includes(field))) return false;
  const integration = await integrationScope(platform, state.integrationId);
  // an observed release need not be among those that the platform lists
  const found = now.release && (await orUnknownName(resolveRelease(integration.releases, now.release)));
  const release = found instanceof UnknownNameError ? undefined : found;
  const tenant = release === undefined ? await integration.tenants.get(state.tenantId) : undefined;
  const schemas = await schemasOf(platform, integration, release, tenant);
  return differing.every((field) => {
    if (field === "schedule") return isSameSchedule(state.schedule ?? "", now.schedule ?? "");
    if (field !== "configs" && field !== "metadata") return false;
    const [left, right] = [state[field], now[field]];
    if (left === undefined || right === undefined) return false;
    return Object.keys({ ...left, ...right }).every((key) =>
      meansTheSame(schemas[field], key, partOf(left, key), partOf(right, key)),
    );
  });
}

/** `undefined` where it is not known yet. */
async function integrationIdOf(platform: Platform, integration: unknown) {
  if (typeof integration !== "string" && typeof integration !== "number") return undefined;
  return (await integrationScope(platform, integration)).id;
}
