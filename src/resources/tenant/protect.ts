import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { formatPath, partOf, valueAt } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import type { ReleaseSchema } from "../../json-schema/index.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { isPlaceholder } from "../../secrets/placeholders.ts";
import { checkableForm } from "../../secrets/secret-table.ts";
import { withLiveForPlaceholders } from "../../secrets/walk.ts";
import { HiddenValueError, pathsWithin } from "../../settings/declared-keys.ts";
import { isMerge, keysPatch } from "../../settings/patch-ways.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import { type KeysName, tenantSettings } from "../../settings/table.ts";
import type { Desired } from "./desired.ts";
import type { ObservedTenant } from "./observed-tenant.ts";

/**
 * Protects secrets that nothing declares before the whole of `configs` or `metadata` is written. It refuses if the schema requires
 * one that the read lacks, and if reads hide secrets and the schema has one. No refusal of the platform repeats one that the write
 * contains. See docs/decisions/whole-object-patch.md.
 */
export function requireNothingHidden(
  context: OperationContext,
  desired: Desired,
  tenant: ObservedTenant,
  name: KeysName,
): void {
  const { live: liveIn, schemaOf } = tenantSettings[name];
  const [live, schema] = [liveIn(tenant), schemaOf(desired.schemas)];
  const { present, absent } = undeclaredSecrets(desired, live, name, schema);
  context.client.protect(present.map((path) => valueAt(live, path)));
  const display = context.platform["secrets.display"];
  if (tenant.history.isNew || display === "shown" || isMerge(keysPatch(context.platform, name))) return;
  const { always, perhaps } = missingSecrets(desired, live, name, schema);
  const hidden = pathsWithin(name, tenant.history.unreadablePaths).map((path) => valueAt(live, path) ?? null);
  const isMasked = display === "masked" || hidden.some((shown) => shown !== null);
  const isOmitted = display === "omitted" || display === "null" || hidden.includes(null);
  const certain = [...always, ...(isMasked ? present : [])];
  const possible = context.areAllSecretsDeclared ? [] : [...perhaps, ...(isOmitted ? absent : [])];
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
  const doubtful = context.areAllSecretsDeclared ? present : [...present, ...absent];
  if (doubtful.length === 0) return;
  context.warn(
    `the schema marks ${list(doubtful)} as secret, so reads may omit it or show something else in its place. Then a change of ` +
      `a tenant's other ${name} may destroy it. Declare it too`,
  );
}

/** The paths of the values that the schema marks as secret and that no write contains: those that a read shows, and the absent or null ones. */
function undeclaredSecrets(desired: Desired, live: JsonObject, name: KeysName, schema: ReleaseSchema) {
  const present: SettingPath[] = [];
  const absent: SettingPath[] = [];
  const visit = (value: JsonValue, path: SettingPath) => {
    if (path.length > 0 && schema.isHidden(path)) {
      (value === null ? absent : present).push(path);
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
  visit(undeclaredKeys(desired, live, name), []);
  withLiveForPlaceholders(desired.settings[name] ?? {}, live, [], (part, path) => {
    if (path.length > 1) visit(part, path); // placeholders of whole keys are undeclared
  });
  return { present, absent };
}

/** The paths of undeclared secrets that the schema requires, certainly or perhaps, and that a read lacks. */
function missingSecrets(desired: Desired, live: JsonObject, name: KeysName, schema: ReleaseSchema) {
  if (Object.keys(live).length === 0) return { always: [], perhaps: [] };
  const whole = { ...undeclaredKeys(desired, live, name), ...checkableForm(desired.settings[name] ?? {}) };
  const missing = schema
    .missingSecrets(whole)
    .filter(({ path }) => valueAt(live, path) === undefined && !isManaged(desired, name, path[0] ?? ""));
  const pathsOf = (isCertain: boolean) =>
    missing.filter(({ isRequired }) => (isRequired === "always") === isCertain).map(({ path }) => path);
  return { always: pathsOf(true), perhaps: pathsOf(false) };
}

/** The live keys that a write does not change: those that neither are nor were declared. */
function undeclaredKeys(desired: Desired, live: JsonObject, name: KeysName): JsonObject {
  return Object.fromEntries(Object.entries(live).filter(([key]) => !isManaged(desired, name, key)));
}

/** A placeholder is not written: what the platform has stays. */
function isManaged({ settings, removed }: Desired, name: KeysName, key: string): boolean {
  const declared = partOf(settings[name], key);
  const isDeclared = declared !== undefined && !isPlaceholder(declared, [key]);
  return isDeclared || removed[name]?.includes(key) === true;
}
