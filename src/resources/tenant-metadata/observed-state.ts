import { defined } from "../../json/defined.ts";
import type { JsonObject } from "../../json/json-value.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { tenantById } from "../../operation/tenant-by-id.ts";
import { secretTable } from "../../secrets/secret-table.ts";
import { observedSettings, unreadablePaths, unresolvedPaths } from "../tenant/comparison.ts";
import { schemasOf } from "../tenant/desired.ts";
import { noHistory, storedHistory, type WriteHistory } from "../tenant/observed-tenant.ts";
import type { TenantMetadataInputs, TenantMetadataState } from "./schema.ts";

/**
 * The inputs and the state of a resource after a read of the metadata.
 *
 * @param live the whole metadata of the tenant.
 * @param before the state before the read.
 */
export async function observedState(
  context: OperationContext,
  live: JsonObject,
  before: TenantMetadataState,
): Promise<{ inputs: TenantMetadataInputs; state: TenantMetadataState }> {
  const { tenantId } = before;
  const found = await tenantById(context, tenantId);
  const { unreadablePaths: _, ...inputs } = before;
  if (found === undefined) return { inputs, state: before }; // no list of an integration shows the tenant
  const schemas = await schemasOf(context, found.integration, undefined, found.tenant);
  const settings = { metadata: before.data };
  const declared = { settings, schemas, secrets: secretTable(context, settings) };
  const seen = { ...found, id: tenantId, metadata: live, isRead: true, history: historyOf(before) };
  const { metadata: data = {} } = await observedSettings(declared, seen);
  context.recordNotCompared({ tenantId, paths: unresolvedPaths(declared, seen) });
  return { inputs: { ...inputs, data }, state: stateOf({ ...inputs, data }, unreadablePaths(declared, seen)) };
}

/** The state. Its unreadable paths begin with `data`, while the given ones begin with the setting `metadata`. */
export function stateOf(inputs: TenantMetadataInputs, unreadablePaths: string[][] = []): TenantMetadataState {
  const hidden = unreadablePaths.map(([, ...path]) => ["data", ...path]);
  return defined({ ...inputs, unreadablePaths: hidden.length === 0 ? undefined : hidden });
}

/** The history of writes that a state shows. */
export function historyOf(state: TenantMetadataState | undefined): WriteHistory {
  if (state === undefined) return noHistory;
  const paths = (state.unreadablePaths ?? []).map(([, ...path]) => ["metadata", ...path]);
  return storedHistory({ metadata: state.data }, paths);
}
