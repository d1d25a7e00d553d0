import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { valueAt } from "../../json/key-path.ts";
import type { PlatformTime } from "../../operation/platform-time.ts";
import { isUnknownSentinel } from "../../provider/unknown-sentinels.ts";
import { describeReference, isDiffering, referenceAt } from "../../secrets/reference.ts";
import { isInForceAt, overrideOf } from "../../settings/override.ts";
import { keysEntries, settingNames } from "../../settings/table.ts";
import { overlap, type PropertyPath } from "../property-path.ts";
import { differingPaths, hasSecret, type KeyPath } from "./differing-paths.ts";
import type { PreviewedResource } from "./preview-events.ts";
import type { PreviewedTenant } from "./previewed-tenants.ts";

/** One thing that `pulumi up` would change. */
export interface Difference {
  /** Name of the tenant. */
  tenant: string;
  /** Absent if the tenant does not exist yet. */
  tenantId?: number;
  /** The resource that declares the tenant: `Tenant acme`, `TenantFleet billing`. */
  resource: string;
  /** The setting: `["paused"]`, `["configs", "region"]`. Absent if the tenant as a whole differs. */
  path?: PropertyPath;
  /** Absent if nothing is declared. `exists` or `replaced` for the tenant as a whole. */
  declared?: JsonValue;
  /** Absent if the platform has nothing. `exists` or `archived` for the tenant as a whole. */
  actual?: JsonValue;
  /** If true, `(secret)`, or what a reference to a secret says, takes the place of both values. */
  isSecret: boolean;
  /**
   * `platform`: the platform changed since the last `up` or `refresh`. `program`: the difference was known then, or the
   * program changed and was not applied yet.
   */
  changedOn: "platform" | "program";
  /** When a run found it for the first time, in UTC. Only with a history. */
  firstFoundAt?: string;
}

/** Takes the place of a secret value in all output. */
export const secretText = "(secret)";

/** Takes the place of an observed value that is not the one to which a reference leads. */
const differsText = "(differs)";

/** Takes the place of a value that is known only after `up`, such as the id of a tenant that `up` creates. */
const notKnownText = "(not known yet)";

/** The settings whose keys are managed one by one: a key that is no longer declared is removed from the platform. */
const keyedSettings: readonly string[] = keysEntries.map(([name]) => name);

/** What can be observed on the platform. The other inputs say how the resource behaves. */
const settings: readonly string[] = [...settingNames, "override"];

/** What a resource cannot change: another value replaces the resource. */
const identity: readonly string[] = ["integration", "tenantId"];

/**
 * The differences of one tenant.
 *
 * @param time decides whether a declared override is in force.
 */
export function differencesOf(tenant: PreviewedTenant, time: PlatformTime): Difference[] {
  if (tenant.declared === undefined || tenant.actual === undefined) return wholeDifference(tenant);
  const compared = comparedSettings(tenant, time);
  const [declared, actual] = [tenant.declared, tenant.actual].map((inputs) => pick(inputs, compared));
  const paths = differingPaths(actual, declared).filter(([setting = "", ...deeper]) => {
    const isNotManaged = deeper.length === 0 && tenant.declared?.[setting] === undefined;
    return !isNotManaged || keyedSettings.includes(setting) || setting === "override"; // its removal restores the tenant
  });
  return [
    ...(tenant.resource.isImported ? [notApplied(tenant)] : []), // the stack does not have it, whatever else differs
    ...paths.map((path) => visibleDifference(tenant, path)),
    ...hiddenDifferences(tenant, compared, paths),
  ];
}

/** What `up` would change. While a declared override is in force, it does not write the declared `paused`. */
function comparedSettings(
  { declared = {}, override: applied, resource }: PreviewedTenant,
  time: PlatformTime,
): string[] {
  const override = overrideOf(declared);
  const isOverridden = override !== undefined && isInForceAt(time, override, applied);
  const all = resource.operation === "replace" ? [...settings, ...identity] : settings;
  return all.filter((setting) => setting !== "paused" || !isOverridden);
}

/** A tenant that exists on one side only. */
function wholeDifference(tenant: PreviewedTenant): Difference[] {
  const { declared, stored, actual } = tenant;
  if (declared === undefined && actual === undefined) return [];
  const isGone = stored !== undefined && actual === undefined;
  if (declared !== undefined && !isGone) return [notApplied(tenant)];
  return [
    {
      ...identityOf(tenant),
      ...(declared === undefined ? {} : { declared: "exists" }),
      actual: isGone ? "archived" : "exists",
      isSecret: false,
      changedOn: isGone ? "platform" : "program",
    },
  ];
}

/** A declared tenant that the stack does not have yet: `up` would create or import it. */
function notApplied(tenant: PreviewedTenant): Difference {
  return { ...identityOf(tenant), declared: "exists", isSecret: false, changedOn: "program" };
}

/** A tenant whose resource `up` would replace, although no value differs: after `pulumi state taint`, for example. */
export function replacement(tenant: PreviewedTenant): Difference[] {
  const { declared, actual, resource } = tenant;
  if (resource.operation !== "replace" || declared === undefined || actual === undefined) return [];
  const values = { declared: "replaced", actual: "exists" };
  return [{ ...identityOf(tenant), ...values, isSecret: false, changedOn: "program" }];
}

/** A difference between values that the preview shows. */
function visibleDifference(tenant: PreviewedTenant, path: KeyPath): Difference {
  const values = { declared: valueAt(tenant.declared, path), actual: valueAt(tenant.actual, path) };
  const isHidden = hasSecret(values.declared) || hasSecret(values.actual) || mayHoldSecret(tenant, path);
  const [, ...inside] = path;
  const isReference = Object.values(values).some((value) => referenceAt(value, inside) !== undefined);
  const shown = Object.entries(values).flatMap(([side, value]) => {
    if (value === undefined) return [];
    if (!isHidden && isReference) return [[side, withoutValue(value, inside)]];
    if (!isHidden && typeof value === "string" && isUnknownSentinel(value)) return [[side, notKnownText]];
    return [[side, isHidden ? secretText : value]];
  });
  const isOtherThanStored = differingPaths(valueAt(tenant.stored, path), values.actual, path).length > 0;
  return {
    ...identityOf(tenant),
    path,
    ...Object.fromEntries(shown),
    isSecret: isHidden || isReference,
    changedOn: isOtherThanStored || isChangedOnPlatform(tenant, tenant.pathInResource(path)) ? "platform" : "program",
  };
}

/** What a reference to a secret says without its value. Where the other side is a reference, any value may be the secret. */
function withoutValue(value: JsonValue, path: KeyPath): string {
  const reference = referenceAt(value, path);
  if (reference === undefined) return secretText;
  return isDiffering(value, path) ? differsText : describeReference(reference);
}

/**
 * The differences between secrets. The preview masks both values, and the engine reports the path. If it reports none, those count
 * that the refresh has found: the preview cannot tell whether the program has changed too.
 */
function hiddenDifferences(
  tenant: PreviewedTenant,
  compared: readonly string[],
  visiblePaths: readonly KeyPath[],
): Difference[] {
  const visible = visiblePaths.map(tenant.pathInResource);
  const declared = [...compared, "tenants"].filter((setting) => tenant.declared?.[setting] !== undefined);
  return [...new Set([...keyedSettings, ...declared])].flatMap((setting) => {
    const root = tenant.pathInResource([setting]);
    return changedSecrets(tenant.resource)
      .filter((path) => path.length >= root.length && overlap(root, path))
      .filter((path) => !visible.some((other) => overlap(other, path)))
      .map(
        (path): Difference => ({
          ...identityOf(tenant),
          path: [setting, ...path.slice(root.length)],
          declared: secretText,
          actual: secretText,
          isSecret: true,
          changedOn: isChangedOnPlatform(tenant, path) ? "platform" : "program",
        }),
      );
  });
}

function changedSecrets(resource: PreviewedResource): PropertyPath[] {
  const { operation, changes, changedSince, declared, actual } = resource;
  if (operation !== "update" || changes.length > 0) return changes;
  return changedSince.filter((path) => hasSecret(valueAt(declared, path)) && hasSecret(valueAt(actual, path)));
}

function isChangedOnPlatform({ resource }: PreviewedTenant, path: PropertyPath): boolean {
  return resource.changedSince.some((changed) => overlap(changed, path));
}

/**
 * What tells a tenant from all others: its id; before it has one, its resource and its name, as another integration may have a
 * tenant of the same name. Metadata of a tenant that has no id yet count for the `Tenant` of the same resource name.
 */
export function tenantKeyOf({
  tenant,
  tenantId,
  resource,
}: Pick<Difference, "tenant" | "tenantId" | "resource">): string {
  if (tenantId !== undefined) return String(tenantId);
  return JSON.stringify([resource.replace(/^TenantMetadata /, "Tenant "), tenant]);
}

/** How all reports name a tenant. */
export function identityOf({
  tenant,
  tenantId,
  type,
  resource,
}: PreviewedTenant): Pick<Difference, "tenant" | "tenantId" | "resource"> {
  return { tenant, ...(tenantId === undefined ? {} : { tenantId }), resource: `${type} ${resource.name}` };
}

/**
 * Whether a secret is declared at this path, above or below it. Somebody may have put another value in place of an object
 * with a secret, and that value may contain the secret without a mark.
 */
function mayHoldSecret({ secretPaths }: PreviewedTenant, path: KeyPath): boolean {
  return secretPaths.some((secret) => overlap(secret, path));
}

function pick(inputs: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(inputs).filter(([setting]) => names.includes(setting)));
}
