import { aliasProblems } from "../../inputs/alias-problems.ts";
import type { Failure } from "../../inputs/input-schema.ts";
import { shapeFailures } from "../../inputs/input-schema.ts";
import { formatPath, valueAt } from "../../json/key-path.ts";
import { isUnknown, unknownValue } from "../../json/unknown.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { type CheckedRollout, checkRollout, newTenantsOf } from "./check-rollout.ts";
import { tenantOf, withNewKeys } from "./entry.ts";
import type { FleetLifecycles } from "./fleet-lifecycles.ts";
import { inTurns } from "./in-turns.ts";
import { tenantFleetInputsSchema } from "./schema.ts";
import { sizeFailures } from "./state-size.ts";
import { syncOf } from "./sync.ts";

/** What the check of a fleet has found. */
export interface CheckedFleet {
  failures: Failure[];
  /** Its rollout, if it is known. */
  rollout?: CheckedRollout | undefined;
}

/** The invalid inputs of a fleet, such as `tenants.acme.configs.region`. Inputs that are unknown in a preview are skipped. */
export async function checkFleet(
  context: OperationContext,
  base: FleetLifecycles,
  inputs: object,
  old: object | undefined,
): Promise<CheckedFleet> {
  const misshapen = shapeFailures(tenantFleetInputsSchema, inputs);
  if (misshapen.length > 0) return { failures: misshapen };
  const tenants = valueAt(inputs, ["tenants"]);
  const isKnown = typeof tenants === "object" && tenants !== null;
  const oversized = isKnown ? sizeFailures(inputs, tenants) : [];
  if (oversized.length > 0) return { failures: oversized };
  const misused = isKnown ? aliasFailures(tenants) : [];
  if (misused.length > 0) return { failures: misused };
  const { failures, known } = await checkRollout(context, inputs);
  if (!isKnown) return { failures };
  const before = withNewKeys(Object(old && valueAt(old, ["tenants"])), tenants);
  const lifecycles = known === undefined ? base : base.withNewTenants(...(await newTenantsOf(known, tenants, before)));
  const found = new Map<string, Failure[]>();
  const add = (key: string, failures: readonly Failure[]) => {
    if (failures.length > 0) found.set(key, [...(found.get(key) ?? []), ...failures]);
  };
  const checkSync = async ([key, entry]: Entry) => {
    const sync = syncOf(inputs, Object(entry), unknownValue);
    if (sync !== undefined) add(key, (await lifecycles.sync.check(sync, undefined)).map(at([key, "sync"])));
  };
  const checkExisting = async ([key, entry]: Entry) => {
    const oldTenant = old && tenantOf(old, key, Object(before[key]));
    // the last `up` may have failed to create it
    const failures = await lifecycles.creating(key).check(tenantOf(inputs, key, Object(entry)), oldTenant);
    add(key, failures.map(at([key])));
    await checkSync([key, entry]);
  };
  const checkNew = async (part: "declare" | "checkDeclared", [key, entry]: Entry) => {
    add(key, (await lifecycles.creating(key)[part](tenantOf(inputs, key, Object(entry)), undefined)).map(at([key])));
  };
  const entries = Object.entries(tenants).filter(([, entry]) => !isUnknown(entry));
  const created = entries.filter(([key]) => !Object.hasOwn(before, key));
  const existing = entries.filter(([key]) => Object.hasOwn(before, key));
  await inTurns(existing, atOnce, checkExisting);
  // a tenant may get the name that another one gives up: each must know what the others declare
  await inTurns(created, atOnce, (entry) => checkNew("declare", entry));
  const declared = created.filter(([key]) => !found.has(key));
  await inTurns(declared, atOnce, (entry) => checkNew("checkDeclared", entry));
  await inTurns(created, atOnce, checkSync);
  const ofEntries = Object.keys(tenants).flatMap((key) => found.get(key) ?? []);
  return { failures: distinct([...failures, ...ofEntries]), rollout: known };
}

type Entry = [key: string, entry: unknown];

/** The aliases of tenants that would give one tenant's place to another. */
function aliasFailures(tenants: object): Failure[] {
  const declarations = Object.entries(tenants).map(([key, entry]) => {
    const aliases = valueAt(entry, ["aliases"]);
    return { key, aliases: Array.isArray(aliases) ? aliases : [] };
  });
  return aliasProblems(declarations, "tenant").map(({ key, index, reason }) => ({
    property: formatPath(["tenants", key, "aliases", index]),
    reason,
  }));
}

/** How many tenants are checked at once. Their checks hardly wait, and of thousands at once none would end. */
const atOnce = 64;

/** Converts a failure of a tenant to a failure of its fleet. */
function at([key, ...rest]: readonly string[]) {
  return ({ property, reason }: Failure): Failure => ({
    property: property === "integration" ? property : ["tenants", key, ...rest, property].join("."),
    reason,
  });
}

/** Removes duplicates, as each tenant reports the failures of the fleet's own inputs. */
function distinct(failures: readonly Failure[]): Failure[] {
  return [...new Map(failures.map((failure) => [`${failure.property}: ${failure.reason}`, failure])).values()];
}
