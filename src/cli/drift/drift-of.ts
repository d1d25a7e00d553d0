import type { JsonObject, JsonValue } from "../../api/index.ts";
import { differingPaths, isOnTheWay, isSecret, type Path, pathText } from "./differing-paths.ts";
import type { PreviewedStack } from "./preview-stack.ts";
import { type PreviewedTenant, previewedTenants } from "./previewed-tenants.ts";

/** Where the platform is not as a stack declares it. */
export interface Drift {
  stack: string;
  /** How many tenants were looked at. */
  tenants: number;
  /** How many declared values could not be compared, because the platform hides them. */
  valuesNotCompared: number;
  differences: Difference[];
}

/** One thing that `up` would change. */
export interface Difference {
  /** Name of the tenant. */
  tenant: string;
  /** Absent where there is none yet. */
  tenantId?: number;
  /** The resource that declares it: `Tenant acme`, `TenantFleet billing`. */
  resource: string;
  /** The setting: `paused`, `configs.region`, `configs["a.b"].c`. Absent where it is the tenant as a whole. */
  field?: string;
  /** Absent where it is not declared. Of the tenant as a whole: `exists`, or absent. */
  declared?: JsonValue;
  /** Absent where the platform has none. Of the tenant as a whole: `exists`, `archived`, or absent. */
  actual?: JsonValue;
  /** Then both values are `(secret)`, where there are any. */
  isSecret: boolean;
  /** `platform`: changed there since the last `up`. `program`: not brought about yet, or known since a `refresh`. */
  changedOn: "platform" | "program";
}

/** What stands for a secret, whose value is told to nobody. */
export const secretText = "(secret)";

/** What of a preview is drift: each tenant's settings that the program declares otherwise than the platform has them. */
export function driftOf({ stack, resources }: PreviewedStack): Drift {
  const tenants = withNames(resources.flatMap(previewedTenants));
  const differences = tenants.filter(({ resource }) => resource.operation !== "same").flatMap(differencesOf);
  return {
    stack,
    tenants: new Set(tenants.map(({ tenant, tenantId }) => tenantId ?? tenant)).size,
    valuesNotCompared: tenants.reduce((sum, { valuesNotCompared }) => sum + valuesNotCompared, 0),
    differences: differences.sort(byCauseAndName),
  };
}

/** Metadata alone names no tenant; where the stack has that tenant too, its name is known. */
function withNames(tenants: readonly PreviewedTenant[]): PreviewedTenant[] {
  const named = tenants.filter(({ type }) => type !== "TenantMetadata");
  const names = new Map(named.map(({ tenantId, tenant }) => [tenantId, tenant]));
  return tenants.map((one) => ({
    ...one,
    tenant: one.tenantId === undefined ? one.tenant : (names.get(one.tenantId) ?? one.tenant),
  }));
}

function differencesOf(tenant: PreviewedTenant): Difference[] {
  if (tenant.declared === undefined || tenant.actual === undefined) return wholeDifference(tenant);
  const settings = tenant.resource.operation === "replace" ? [...ownSettings, "integration"] : ownSettings;
  const [declared, actual] = [tenant.declared, tenant.actual].map((inputs) => pick(inputs, settings));
  const paths = differingPaths(actual, declared).filter(([setting = "", ...deeper]) => {
    const isLeftAlone = deeper.length === 0 && tenant.declared?.[setting] === undefined;
    return !isLeftAlone || freeForm.includes(setting);
  });
  const seen = paths.map((path) => fieldDifference(tenant, path));
  return [...seen, ...hiddenDifferences(tenant, paths)];
}

/** What can be observed on the platform; the rest of the inputs says how the resource behaves. */
const freeForm = ["configs", "metadata"];
const ownSettings = ["name", "schedule", "release", "paused", ...freeForm];

/** A tenant that one side has and the other has not. */
function wholeDifference(tenant: PreviewedTenant): Difference[] {
  const { declared, stored, actual } = tenant;
  if (declared === undefined && actual === undefined) return [];
  const isGone = stored !== undefined && actual === undefined;
  return [
    {
      ...identityOf(tenant),
      ...(declared === undefined ? {} : { declared: "exists" }),
      ...(isGone ? { actual: "archived" } : actual === undefined ? {} : { actual: "exists" }),
      isSecret: false,
      changedOn: isGone ? "platform" : "program",
    },
  ];
}

function fieldDifference(tenant: PreviewedTenant, path: Path): Difference {
  const values = { declared: valueAt(tenant.declared, path), actual: valueAt(tenant.actual, path) };
  const isHidden = hasSecret(values.declared) || hasSecret(values.actual) || isAtSecret(tenant, path);
  const shown = Object.entries(values).flatMap(([side, value]) =>
    value === undefined ? [] : [[side, isHidden ? secretText : value]],
  );
  const isOtherSinceThen = differingPaths(valueAt(tenant.stored, path), values.actual).length > 0;
  return {
    ...identityOf(tenant),
    field: pathText(path),
    ...Object.fromEntries(shown),
    isSecret: isHidden,
    changedOn: isOtherSinceThen || isChangedSince(tenant, tenant.enginePath(path)) ? "platform" : "program",
  };
}

/** Secrets look all the same here; that they differ is for the engine to say. */
function hiddenDifferences(tenant: PreviewedTenant, seen: readonly Path[]): Difference[] {
  const told = seen.map(tenant.enginePath);
  const declared = [...ownSettings, "tenants"].filter((setting) => tenant.declared?.[setting] !== undefined);
  return [...new Set([...freeForm, ...declared])].flatMap((setting) => {
    const root = tenant.enginePath([setting]);
    const hidden = tenant.resource.changes.filter((path) => path.startsWith(root) && isOnTheWay(root, path));
    return hidden
      .filter((path) => !told.some((other) => isOnTheWay(other, path)))
      .map(
        (path): Difference => ({
          ...identityOf(tenant),
          field: setting + path.slice(root.length),
          declared: secretText,
          actual: secretText,
          isSecret: true,
          changedOn: isChangedSince(tenant, path) ? "platform" : "program",
        }),
      );
  });
}

function isChangedSince({ resource }: PreviewedTenant, path: string): boolean {
  return resource.changedSince.some((changed) => isOnTheWay(changed, path));
}

function identityOf({ tenant, tenantId, type, resource }: PreviewedTenant) {
  return { tenant, ...(tenantId === undefined ? {} : { tenantId }), resource: `${type} ${resource.name}` };
}

/** Whether a secret is declared here, above or below: what somebody put in its place may hold it, and bear no mark. */
function isAtSecret({ secretPaths }: PreviewedTenant, path: Path): boolean {
  return secretPaths.some((secret) => path.every((key, index) => index >= secret.length || key === secret[index]));
}

function hasSecret(value: JsonValue | undefined): boolean {
  if (isSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasSecret);
}

function valueAt(value: JsonValue | undefined, [key, ...deeper]: Path): JsonValue | undefined {
  if (key === undefined) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return valueAt(Object.entries(value).find(([name]) => name === key)?.[1], deeper);
}

function pick(inputs: JsonObject, settings: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(inputs).filter(([setting]) => settings.includes(setting)));
}

/** What somebody changed comes first. */
function byCauseAndName(left: Difference, right: Difference): number {
  const keyOf = ({ changedOn, tenant, field = "" }: Difference) => [changedOn, tenant, field];
  const [one, other] = [keyOf(left), keyOf(right)];
  const index = one.findIndex((part, at) => part !== other[at]);
  return index < 0 ? 0 : (one[index] ?? "") < (other[index] ?? "") ? -1 : 1;
}
