import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/json-value.ts";
import { distinctPaths, formatPath, partOf, valueAt } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import type { MissingSecret, ReleaseSchema } from "../../json-schema/index.ts";
import type { OperationContext, SecretDisplay } from "../../operation/operation-context.ts";
import { isPlaceholder } from "../../secrets/placeholders.ts";
import { checkableForm, comparableForm } from "../../secrets/secret-table.ts";
import { withLiveForPlaceholders } from "../../secrets/walk.ts";
import { HiddenValueError } from "../../settings/declared-keys.ts";
import { isMask, mayBeMask } from "../../settings/masks.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import type { Observed } from "../../settings/setting.ts";
import { type KeysName, keysEntries } from "../../settings/table.ts";
import { unreadablePaths } from "./comparison.ts";
import type { Desired } from "./desired.ts";
import type { ObservedTenant } from "./observed-tenant.ts";

/** Records how the platform displays the secrets that have just been written and read. */
export function noteHiding({ secretDisplays }: OperationContext, desired: Desired, tenant: ObservedTenant): void {
  const live = liveOf(tenant);
  for (const path of unreadablePaths(desired, tenant) ?? []) secretDisplays.add(displayOf(valueAt(live, path)));
  if (showsSecret(desired, live)) secretDisplays.add("shown");
}

/** Records which declared secrets a read has shown as they are declared. */
export function noteShown({ shownSecrets }: OperationContext, desired: Desired, tenant: ObservedTenant): void {
  for (const path of shownPaths(desired, liveOf(tenant))) shownSecrets.add(placeOf(path, tenant));
}

/**
 * Whether reads of this operation have shown one of these secrets, of this tenant or of another of its integration. If a read does
 * not show it now, the tenant does not have it.
 */
export function hasShown({ shownSecrets }: OperationContext, tenant: ObservedTenant, paths: readonly SettingPath[]) {
  return paths.some((path) => shownSecrets.has(placeOf(path, tenant)));
}

function placeOf(path: SettingPath, { integration }: ObservedTenant): string {
  return JSON.stringify([integration.id, ...path]);
}

/** Whether this operation has observed that the platform omits secrets from reads. */
export function isKnownToLeaveOut({ secretDisplays }: OperationContext): boolean {
  return secretDisplays.has("left out");
}

/** Whether this operation has observed that the platform shows something else in place of secrets. */
export function isKnownToChange({ secretDisplays }: Pick<OperationContext, "secretDisplays">): boolean {
  return secretDisplays.has("changed") || secretDisplays.has("null");
}

/** Whether a read has shown a secret of the operation as it was written. */
export function isKnownToShow({ secretDisplays }: OperationContext, desired: Desired, tenant: ObservedTenant): boolean {
  return secretDisplays.has("shown") || showsSecret(desired, liveOf(tenant));
}

/** A tenant whose secrets count as written, also those in whose place reads show what they showed before. */
export function trustingWrites(desired: Desired, tenant: ObservedTenant): ObservedTenant {
  const hidden = unreadablePaths(desired, { ...tenant, history: { ...tenant.history, beforeWrite: {} } }) ?? [];
  const known = distinctPaths([...tenant.history.unreadablePaths, ...hidden]);
  return { ...tenant, history: { ...tenant.history, unreadablePaths: known } };
}

/**
 * Protects hidden values before the whole of `configs` or `metadata` is written. Throws if there is evidence that the write
 * could destroy an undeclared value that the platform hides. Warns, once in an operation, if the platform may hide one. No message
 * repeats the secrets that the write contains and nobody declares.
 */
export function requireNothingHidden(
  context: OperationContext,
  desired: Desired,
  tenant: ObservedTenant,
  name: KeysName,
): void {
  const live = liveOf(tenant)[name] ?? {};
  const schema = desired.schemas[name];
  const undeclared = undeclaredOf(desired, live, name);
  const { masked, present, absent, nulls } = secretPlaces(undeclared, live, desired, name);
  context.client.protect(present.map((path) => valueAt(live, path))); // a refusal may repeat the whole request
  const ofTenant = displaysOf(tenant);
  const displays = new Set([...context.secretDisplays, ...ofTenant]);
  const areSecretsInReads = displays.has("shown") || displays.has("masked") || showsSecret(desired, liveOf(tenant));
  // then a declared secret that reads as null was cleared
  const areShownOtherwise = areSecretsInReads || displays.has("changed");
  const { isNew } = tenant.history;
  const missing = isNew ? [] : missingSecrets(undeclared, live, schema, desired, name);
  const required = (isRequired: MissingSecret["isRequired"]) =>
    missing.filter((one) => one.isRequired === isRequired).map(({ path }) => path);
  const certain = [...required("always"), ...masked, ...(isKnownToChange({ secretDisplays: displays }) ? present : [])];
  // another tenant's omitted secrets are no evidence: whether they are known yet depends on which tenant comes first
  const leftOut = [
    ...(ofTenant.has("left out") ? absent : []),
    ...(ofTenant.has("null") && !areShownOtherwise ? nulls : []),
    ...required("one of several"),
    ...(areSecretsInReads ? [] : required("undecided")),
  ];
  const possible = context.areAllSecretsDeclared ? [] : leftOut;
  const list = (paths: readonly SettingPath[]) =>
    shortList([...new Set(paths.map((path) => formatPath([name, ...path])))]);
  if (certain.length + possible.length > 0) {
    throw new HiddenValueError(
      `the tenant may have ${list([...certain, ...possible])}, which the platform hides in reads and which no resource ` +
        `declares, so a change of ${name} could destroy it. Declare it too` +
        (certain.length > 0
          ? ""
          : ", or, if the tenant does not have it, run up once with INTEGRATION_PLATFORM_ALL_SECRETS_DECLARED=1"),
    );
  }
  if (isNew || areSecretsInReads) return;
  const doubtful = [...present, ...(context.areAllSecretsDeclared ? [] : [...absent, ...nulls])];
  if (doubtful.length === 0) return;
  context.warn(
    `the schema marks ${list(doubtful)} as secret, so reads may omit it or show something else in its place. Then a change of ` +
      `a tenant's other ${name} may destroy it. Declare it too`,
  );
}

/** How the platform displays those secrets of the tenant that the state calls unreadable. */
function displaysOf(tenant: ObservedTenant): ReadonlySet<SecretDisplay> {
  return new Set(tenant.history.unreadablePaths.map((path) => displayOf(valueAt(liveOf(tenant), path))));
}

function displayOf(live: JsonValue | undefined): SecretDisplay {
  if (live === undefined) return "left out";
  if (live === null) return "null";
  return isMask(live) ? "masked" : "changed";
}

/** Whether a read has a declared secret as it is declared. */
function showsSecret(desired: Desired, live: ReturnType<typeof liveOf>): boolean {
  return shownPaths(desired, live).length > 0;
}

/** The paths at which a read has a declared secret as it is declared. */
function shownPaths({ settings, schemas, secrets }: Desired, live: ReturnType<typeof liveOf>): SettingPath[] {
  const shownAt = (value: JsonValue, name: KeysName, path: SettingPath): SettingPath[] => {
    const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
    if (value === null || value === "" || isEmpty) return []; // nothing to hide
    const whole = [name, ...path];
    if (schemas[name].isHidden(path)) return isDeepStrictEqual(value, valueAt(live, whole)) ? [whole] : [];
    if (!isJsonObject(value)) return [];
    return Object.entries(value).flatMap(([key, item]) => shownAt(item, name, [...path, key]));
  };
  return keysEntries.flatMap(([name]) => shownAt(comparableForm(settings[name] ?? {}, [], secrets), name, []));
}

/** The live keys that neither are nor were declared. */
function undeclaredOf({ settings, removed }: Desired, live: JsonObject, name: KeysName): JsonObject {
  const isKept = (key: string) => isUndeclared(settings, name, key) && !removed[name]?.includes(key);
  return Object.fromEntries(Object.entries(live).filter(([key]) => isKept(key)));
}

/**
 * The paths of values that the schema marks as secret and that are undeclared, or that `ignoreChanges` keeps as they are: present
 * ones that may be masks, other present ones, absent ones, and nulls.
 */
function secretPlaces(undeclared: JsonObject, live: JsonObject, desired: Desired, name: KeysName) {
  const schema = desired.schemas[name];
  const masked: SettingPath[] = [];
  const present: SettingPath[] = [];
  const absent: SettingPath[] = [];
  const nulls: SettingPath[] = [];
  const visit = (value: JsonValue, path: SettingPath) => {
    if (path.length > 0 && schema.isHidden(path)) {
      if (value === null) nulls.push(path);
      else if (!isMask(value)) (mayBeMask(value) ? masked : present).push(path);
      return;
    }
    if (typeof value !== "object" || value === null) return;
    for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
    for (const key of schema.namesAt(path)) {
      const isElsewhere = path.length === 0 && isManaged(desired, name, key);
      const isAbsent = partOf(value, key) === undefined && !isElsewhere;
      if (isAbsent && schema.isHidden([...path, key])) absent.push([...path, key]);
    }
  };
  visit(undeclared, []);
  withLiveForPlaceholders(desired.settings[name] ?? {}, live, [], (part, path) => {
    if (path.length > 1) visit(part, path); // placeholders of whole keys are undeclared
  });
  return { masked, present, absent, nulls };
}

function isManaged({ settings, removed }: Desired, name: KeysName, key: string): boolean {
  return !isUndeclared(settings, name, key) || removed[name]?.includes(key) === true;
}

/** A placeholder is not written: what the platform has stays. */
function isUndeclared(settings: Desired["settings"], name: KeysName, key: string): boolean {
  const declared = partOf(settings[name], key);
  return declared === undefined || isPlaceholder(declared, [key]);
}

/** Undeclared secrets that the schema requires but a read did not return. The platform must be hiding them. */
function missingSecrets(
  undeclared: JsonObject,
  live: JsonObject,
  schema: ReleaseSchema,
  desired: Desired,
  name: KeysName,
): MissingSecret[] {
  if (Object.keys(live).length === 0) return [];
  return schema
    .missingSecrets({ ...undeclared, ...checkableForm(desired.settings[name] ?? {}) })
    .filter(({ path }) => valueAt(live, path) === undefined && !isManaged(desired, name, path[0] ?? ""));
}

/** The live values of the free-form settings, by name. */
function liveOf(observed: Observed): { [Name in KeysName]?: JsonObject } {
  return Object.fromEntries(keysEntries.map(([name, { live }]) => [name, live(observed)]));
}
