import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { uniqueKeys } from "../../resources/existing/unique-keys.ts";
import { type SelectedTenant, type Selection, selectTenants } from "../tenants/select-tenants.ts";
import type { CommandContext } from "../with-platform.ts";

/** A live tenant, and the key that it gets. */
export interface LiveTenant extends SelectedTenant {
  /** Different for each: see {@link uniqueKeys}. */
  key: string;
}

/** The live tenants of an integration, which become one fleet. */
export interface LiveFleet {
  /** Name of the resource and of its file: lowercase letters, digits and `-`. */
  key: string;
  scope: IntegrationScope;
  /** By name, with keys that are different within the fleet. */
  tenants: LiveTenant[];
}

/** The live tenants of the selection, by the names of integrations and tenants. */
export async function liveTenants(context: CommandContext, selection: Selection): Promise<LiveTenant[]> {
  const live = await selectTenants(context, selection);
  const keyOf = uniqueKeys(live.map(({ tenant }) => tenant));
  return live.map((one) => ({ key: keyOf(one.tenant), ...one }));
}

/** A fleet for each integration of which the selection has live tenants. */
export async function liveFleets(context: CommandContext, selection: Selection): Promise<LiveFleet[]> {
  const groups = Map.groupBy(await selectTenants(context, selection), ({ scope }) => scope.id);
  const fleets = [...groups.values()].flatMap((selected) => {
    const [first] = selected;
    return first === undefined
      ? []
      : [{ id: first.scope.id, name: fleetName(first.scope.record), scope: first.scope, selected }];
  });
  const fleetKeyOf = uniqueKeys(fleets);
  return fleets.map(({ scope, selected, ...fleet }) => {
    const keyOf = uniqueKeys(selected.map(({ tenant }) => tenant));
    return { key: fleetKeyOf(fleet), scope, tenants: selected.map((one) => ({ key: keyOf(one.tenant), ...one })) };
  });
}

/** The name of an integration as a key. Names of integrations can hold any character and be long. */
function fleetName({ name }: { name: string }): string {
  const letters = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = letters.replace(/[^a-z0-9]+/g, "-").slice(0, 60);
  return words.replace(/^-|-$/g, "") || "integration";
}
