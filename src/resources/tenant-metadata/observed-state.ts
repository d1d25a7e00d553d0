import { defined } from "../../json/defined.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { pathOf, pointerTo } from "../../json/pointer.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { tenantById } from "../../operation/tenant-by-id.ts";
import { secretTable } from "../../secrets/secret-table.ts";
import type { ShownAs } from "../../settings/shown-as.ts";
import { keptHistory, observedSettings, unresolvedPaths } from "../tenant/comparison.ts";
import { schemasOf } from "../tenant/desired.ts";
import { type KeptHistory, noHistory, storedHistory, type WriteHistory } from "../tenant/observed-tenant.ts";
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
  const { unreadablePaths: _, shownAs: __, ...inputs } = before;
  if (found === undefined) return { inputs, state: before }; // no list of an integration shows the tenant
  const schemas = await schemasOf(context, found.integration, undefined, found.tenant);
  const settings = { metadata: before.data };
  const secretPaths = secretPathsOf(before);
  const declared = { settings, schemas, secrets: secretTable(context, settings), secretPaths };
  const seen = { ...found, id: tenantId, metadata: live, isRead: true, history: historyOf(before) };
  const { metadata: data = {} } = await observedSettings(declared, seen);
  context.recordNotCompared({ tenantId, paths: unresolvedPaths(declared, seen) });
  return { inputs: { ...inputs, data }, state: stateOf({ ...inputs, data }, keptHistory(declared, seen)) };
}

/** The state. Its paths begin with `data`, while those of the history begin with the setting `metadata`. */
export function stateOf(inputs: TenantMetadataInputs, { unreadablePaths, shownAs }: KeptHistory): TenantMetadataState {
  return defined({
    ...inputs,
    unreadablePaths: unreadablePaths?.map((path) => renamed(path, "data")),
    shownAs: shownAs && withPaths(shownAs, "data"),
  });
}

/** The history of writes that a state shows. */
export function historyOf(state: TenantMetadataState | undefined): WriteHistory {
  if (state === undefined) return noHistory;
  const { unreadablePaths, shownAs } = state;
  return storedHistory(
    { metadata: state.data },
    {
      unreadablePaths: unreadablePaths?.map((path) => renamed(path, "metadata")),
      shownAs: shownAs && withPaths(shownAs, "metadata"),
    },
  );
}

/** The paths of the declared secrets, beginning with the setting `metadata`. */
export function secretPathsOf({ secretPaths = [] }: Pick<TenantMetadataInputs, "secretPaths">): string[][] {
  return secretPaths.map((path) => renamed(path, "metadata"));
}

function renamed([, ...path]: readonly string[], name: string): string[] {
  return [name, ...path];
}

function withPaths(shownAs: ShownAs, name: string): ShownAs {
  const entries = Object.entries(shownAs).map(([pointer, pair]) => [pointerTo(renamed(pathOf(pointer), name)), pair]);
  return Object.fromEntries(entries);
}
