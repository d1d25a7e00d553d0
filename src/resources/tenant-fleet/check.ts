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
  return distinct(found.flat());
}

/** A failure of a tenant as one of its fleet. */
function at([key, ...rest]: readonly string[]) {
  return ({ property, reason }: Failure): Failure => ({
    property: property === "integration" ? property : ["tenants", key, ...rest, property].join("."),
    reason,
  });
}

/** The fleet's own failures come back once from each of its tenants. */
function distinct(failures: readonly Failure[]): Failure[] {
  return [...new Map(failures.map((failure) => [`${failure.property}: ${failure.reason}`, failure])).values()];
}
