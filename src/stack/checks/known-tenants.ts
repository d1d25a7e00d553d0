import { isUnknown } from "../../json/unknown.ts";
import type { ConfigNode } from "../config/config-node.ts";
import { isWithin, type Problem } from "../config/problems.ts";

/** Whether all tenants of a fleet are known: none of them are encrypted, and no file of tenants is unreadable. */
export function areTenantsKnown(fleet: ConfigNode, problems: readonly Problem[]): boolean {
  const tenants = [...fleet.place.path, "tenants"];
  const files = [...fleet.place.path, "tenantsFrom"];
  if (isUnknown(fleet.part("tenants")?.value) || isUnknown(fleet.part("tenantsFrom")?.value)) return false;
  return !problems.some(
    ({ path }) => isWithin(path, files) || (isWithin(path, tenants) && path.length === tenants.length),
  );
}
