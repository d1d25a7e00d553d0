import type { KeyPath } from "../../json/key-path.ts";
import { keysEntries, settingNames } from "../../settings/table.ts";

/** The settings of tenants, as users of the stack's YAML know them. */
const tenantKeys: readonly string[] = [
  "integration",
  ...settingNames,
  "adopt",
  "forceArchive",
  "schemaViolations",
  "retainOnDelete",
  "sync",
  "groups",
];

/**
 * A better reason for a problem whose likely cause is that a setting is at the wrong place, such as a setting of a tenant on
 * the level of the tenants.
 *
 * @param path of the problem in the stack's config.
 * @param value at the path.
 */
export function reasonAt(path: KeyPath, value: unknown, reason: string): string {
  const key = String(path.at(-1));
  const isUnknownKey = reason.startsWith("is not a setting of");
  if (isUnknownKey && path.length === 1 && tenantKeys.includes(key)) {
    return "is a setting of a tenant: write it at a tenant, or in tenantDefaults";
  }
  if (isUnknownKey && key === "integration" && path[0] === "fleets" && path[2] === "overrides") {
    return "is the fleet's: its overrides pause no other tenants. Remove it here, or use integration-platform:overrides";
  }
  if (isUnknownKey && (key === "override" || key === "overrides") && isTenant(path.slice(0, -1))) {
    return "is not a setting of a tenant: name the tenant in the tenants of one of the stack's or the fleet's overrides";
  }
  if (isUnknownKey && key === "integration" && path[0] === "fleets") {
    return "is a setting of the whole fleet: remove it here, or move the tenant to a fleet of that integration";
  }
  if (isUnknownKey && key === "release" && path[0] === "fleets" && path[2] === "rollout" && path.length === 4) {
    return "is a setting of the tenants: write it in the fleet's defaults, from which the rollout takes it";
  }
  if (isUnknownKey && key === "groups" && isGroup(path.slice(0, -1))) {
    return "is a setting of a tenant, and a group is in no other group: name both groups at the tenant";
  }
  if (isUnknownKey && key === "groups" && (path[0] === "tenantDefaults" || path[2] === "defaults")) {
    return "is a setting of a tenant: name its groups there";
  }
  if (isTenant(path) && value === null) return `has no value; write {} for a tenant with the defaults only`;
  if (isTenant(path) && tenantKeys.includes(key)) return "is a setting, not a tenant: indent it below its tenant";
  if (isUnknownKey && (isTenant(path.slice(0, -1)) || isGroup(path.slice(0, -1))) && reason.includes("; there are ")) {
    const objects = keysEntries.map(([name]) => name).join(" or ");
    return `${reason}. If it is a key of ${objects}, indent it below that`;
  }
  return reason;
}

/** Whether a path leads to a group of the stack or of a fleet. */
function isGroup(path: KeyPath): boolean {
  const [first, second, third] = path;
  return (
    (first === "groups" && path.length === 2) ||
    (first === "fleets" && second !== undefined && third === "groups" && path.length === 4)
  );
}

function isTenant(path: KeyPath): boolean {
  const [first, second, third] = path;
  return (
    (first === "tenants" && path.length === 2) ||
    (first === "fleets" && second !== undefined && third === "tenants" && path.length === 4)
  );
}
