import { isDeepStrictEqual } from "node:util";
import { hasUnknown, isUnknown, valueAt } from "../../json-schema/index.ts";
import { defined } from "../defined.ts";
import { shapeFailures } from "../input-schema.ts";
import { integrationScope } from "../integration-scope.ts";
import { type Failure, IncompleteError, type Lifecycle } from "../lifecycle.ts";
import type { Platform } from "../platform.ts";
import { tenantLifecycle } from "../tenant/lifecycle.ts";
import { tenantStateSchema } from "../tenant/schema.ts";
import { allAtOnce } from "./all-at-once.ts";
import { entryStateOf, tenantOf, tenantStateOf } from "./entry.ts";
import { describeFailures } from "./failures.ts";
import { enforceLimits } from "./limits.ts";
import { describePlan, type Plan, planOf } from "./plan.ts";
import {
  type FleetEntryState,
  type TenantFleetInputs,
  type TenantFleetState,
  tenantFleetInputsSchema,
} from "./schema.ts";

/** Brings about many tenants, each by the lifecycle of `Tenant`. What each input means stands at `TenantFleetArgs`. */
export function tenantFleetLifecycle(platform: Platform): Lifecycle<TenantFleetInputs, TenantFleetState> {
  const one = tenantLifecycle(platform);

  return {
    check: async (inputs, old) => {
      const failures = shapeFailures(tenantFleetInputsSchema, inputs);
      const tenants = valueAt(inputs, ["tenants"]);
      if (failures.length > 0 || typeof tenants !== "object" || tenants === null) return failures;
      const found = await Promise.all(
        Object.entries(tenants).map(async ([key, entry]): Promise<Failure[]> => {
          if (isUnknown(entry)) return [];
          const before = old && valueAt(old, ["tenants", key]);
          const oldTenant =
            old && typeof before === "object" && before !== null ? tenantOf(old, key, before) : undefined;
          const failures = await one.check(tenantOf(inputs, key, entry), oldTenant);
          return failures.map(({ property, reason }) => ({
            property: property === "integration" ? property : `tenants.${key}.${property}`,
            reason,
          }));
        }),
      );
      return distinct([...duplicates(tenants), ...found.flat()]);
    },

    diff: async (_, state, inputs) => {
      if (hasUnknown(inputs)) return { isChanged: true };
      const now = tenantFleetInputsSchema.parse(inputs);
      const { id } = await integrationScope(platform, now.integration);
      if (id !== state.integrationId) return { isChanged: true, replaces: ["integration"] };
      const plan = await planOf(one, state, now);
      enforceLimits(plan, platform.areLimitsLifted ? {} : now, state);
      const isWork = [plan.create, plan.change, plan.archive, plan.forget].some((keys) => keys.length > 0);
      if (isWork) platform.warn(`${describe(now)}: ${describePlan(plan)}`);
      return { isChanged: isWork || !isDeepStrictEqual(settingsOf(state), settingsOf(now)) };
    },

    create: async (inputs) => {
      const { id } = await integrationScope(platform, inputs.integration);
      const empty = { ...inputs, integrationId: id, tenants: {} };
      const create = Object.keys(inputs.tenants);
      const plan = { create, change: [], archive: [], forget: [], unchanged: [] };
      return { id: String(id), state: await work(String(id), empty, inputs, plan) };
    },

    read: async (_, state) => {
      const found = new Map<string, FleetEntryState>();
      const { failed } = await allAtOnce(
        platform,
        describe(state),
        Object.entries(state.tenants),
        async ([key, entry]) => {
          const read = await one.read(String(entry.tenantId), tenantStateOf(state, key, entry));
          if (read !== undefined) found.set(key, entryStateOf(key, entry, read.state));
        },
      );
      if (failed.length > 0) throw failed[0]?.error;
      const tenants = inOrderOf(state.tenants, found);
      return { inputs: inputsOf({ ...state, tenants }), state: { ...state, tenants } };
    },

    update: async (id, state, inputs) => {
      const plan = await planOf(one, state, inputs);
      enforceLimits(plan, platform.areLimitsLifted ? {} : inputs, state);
      return work(id, state, inputs, plan);
    },

    delete: async (_, state) => {
      const mine = Object.entries(state.tenants).filter(([, { onRemove = state.onRemove }]) => onRemove !== "forget");
      const { failed } = await allAtOnce(platform, describe(state), mine, ([key, entry]) =>
        one.delete(String(entry.tenantId), tenantStateOf(state, key, entry)),
      );
      if (failed.length > 0)
        throw new Error(
          describeFailures(
            platform,
            failed.map(({ item: [key], error }) => ({ key, error })),
          ),
        );
    },
  };

  /** Does what is planned, as much of it at once as the client allows. One tenant's failure stops no other. */
  async function work(
    id: string,
    state: TenantFleetState,
    inputs: TenantFleetInputs,
    plan: Plan,
  ): Promise<TenantFleetState> {
    const tenants = new Map(Object.entries(state.tenants));
    for (const key of plan.forget) tenants.delete(key);
    const keys = [...plan.archive, ...plan.create, ...plan.change];
    const { failed } = await allAtOnce(platform, describe(inputs), keys, async (key) => {
      const after = await workOn(key, tenants.get(key), state, inputs);
      if (after === undefined) tenants.delete(key);
      else tenants.set(key, after);
    });
    for (const { item, error } of failed) {
      const entry = inputs.tenants[item];
      const kept = error instanceof IncompleteError ? tenantStateSchema.safeParse(error.state).data : undefined;
      if (kept !== undefined && entry !== undefined) tenants.set(item, entryStateOf(item, entry, kept));
    }
    const after = {
      ...defined(settingsOf(inputs)),
      integrationId: state.integrationId,
      tenants: inOrderOf({ ...inputs.tenants, ...state.tenants }, tenants),
    };
    if (failed.length === 0) return after;
    const message = describeFailures(
      platform,
      failed.map(({ item, error }) => ({ key: item, error })),
    );
    throw new IncompleteError(id, after, new Error(`${describe(inputs)}: ${message}`));
  }

  async function workOn(
    key: string,
    before: FleetEntryState | undefined,
    state: TenantFleetState,
    inputs: TenantFleetInputs,
  ): Promise<FleetEntryState | undefined> {
    const entry = Object.hasOwn(inputs.tenants, key) ? inputs.tenants[key] : undefined;
    if (entry === undefined) {
      if (before !== undefined) await one.delete(String(before.tenantId), tenantStateOf(state, key, before));
      return undefined;
    }
    const tenant = tenantOf(inputs, key, entry);
    if (before === undefined) return entryStateOf(key, entry, (await one.create(tenant)).state);
    return entryStateOf(
      key,
      entry,
      await one.update(String(before.tenantId), tenantStateOf(state, key, before), tenant),
    );
  }
}

function settingsOf({
  integration,
  adopt,
  forceArchive,
  onRemove,
  limits,
  secretPaths,
}: Omit<TenantFleetInputs, "tenants">) {
  return defined({ integration, adopt, forceArchive, onRemove, limits, secretPaths });
}

function inputsOf(state: TenantFleetState): TenantFleetInputs {
  const entries = Object.entries(state.tenants).map(([key, { tenantId: _, ...entry }]) => [key, entry] as const);
  return { ...settingsOf(state), tenants: Object.fromEntries(entries) };
}

function describe({ integration }: Pick<TenantFleetInputs, "integration">): string {
  return `the fleet of integration "${integration}"`;
}

/** Two keys that declare the same tenant. */
function duplicates(tenants: object): Failure[] {
  const keyByName = new Map<unknown, string>();
  return Object.entries(tenants).flatMap(([key, entry]) => {
    const name = valueAt(entry, ["name"]) ?? key;
    const other = keyByName.get(name);
    keyByName.set(name, other ?? key);
    if (other === undefined || isUnknown(name)) return [];
    return [{ property: `tenants.${key}`, reason: `declares the tenant "${name}" again: ${other} does already` }];
  });
}

/** The fleet's own failures come back once from each of its tenants. */
function distinct(failures: readonly Failure[]): Failure[] {
  return [...new Map(failures.map((failure) => [`${failure.property}: ${failure.reason}`, failure])).values()];
}

/** Work ends in any order; what is stored does not depend on it. */
function inOrderOf<T>(keys: object, values: ReadonlyMap<string, T>): Record<string, T> {
  const entries = Object.keys(keys).flatMap((key): [string, T][] => {
    const value = values.get(key);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}
