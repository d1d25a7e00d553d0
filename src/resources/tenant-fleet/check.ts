import { isUnknown, unknownValue, valueAt } from "../../json-schema/index.ts";
import { shapeFailures } from "../input-schema.ts";
import type { Failure } from "../lifecycle.ts";
import { renamed, tenantOf } from "./entry.ts";
import type { FleetLifecycles } from "./plan.ts";
import { tenantFleetInputsSchema } from "./schema.ts";
import { syncOf } from "./sync.ts";

/** What of a fleet's inputs cannot be brought about, as far as they are known: `tenants.acme.configs.region`. */
export async function checkFleet(one: FleetLifecycles, inputs: object, old: object | undefined): Promise<Failure[]> {
  const failures = shapeFailures(tenantFleetInputsSchema, inputs);
  const tenants = valueAt(inputs, ["tenants"]);
  if (failures.length > 0 || typeof tenants !== "object" || tenants === null) return failures;
  const before = renamed(Object(old && valueAt(old, ["tenants"])), tenants);
  const found = await Promise.all(
    Object.entries(tenants).map(async ([key, entry]) => {
      if (isUnknown(entry)) return [];
      const oldTenant = old && Object.hasOwn(before, key) ? tenantOf(old, key, Object(before[key])) : undefined;
      const sync = syncOf(inputs, entry, unknownValue);
      return [
        ...(await one.tenant.check(tenantOf(inputs, key, entry), oldTenant)).map(at([key])),
        ...(sync === undefined ? [] : (await one.sync.check(sync, undefined)).map(at([key, "sync"]))),
      ];
    }),
  );
  return distinct([...duplicates(tenants), ...found.flat()]);
}

/** A failure of a tenant as one of its fleet. */
function at([key, ...rest]: readonly string[]) {
  return ({ property, reason }: Failure): Failure => ({
    property: property === "integration" ? property : ["tenants", key, ...rest, property].join("."),
    reason,
  });
}

/** Two keys that declare the same tenant. Several that exist may bear one name: then their ids tell them apart. */
function duplicates(tenants: object): Failure[] {
  const keyByIdentity = new Map<unknown, string>();
  return Object.entries(tenants).flatMap(([key, entry]) => {
    const name = valueAt(entry, ["name"]) ?? key;
    const adopt = valueAt(entry, ["adopt"]);
    const identity = typeof adopt === "number" ? adopt : name; // several live tenants may bear one name
    const other = keyByIdentity.get(identity);
    keyByIdentity.set(identity, other ?? key);
    if (other === undefined || isUnknown(name)) return [];
    return [
      { property: `tenants.${key}`, reason: `declares the tenant "${String(name)}" again: ${other} does already` },
    ];
  });
}

/** The fleet's own failures come back once from each of its tenants. */
function distinct(failures: readonly Failure[]): Failure[] {
  return [...new Map(failures.map((failure) => [`${failure.property}: ${failure.reason}`, failure])).values()];
}
