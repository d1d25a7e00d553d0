import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { formatPath, isAtOrWithin, valueAt } from "../../json/key-path.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { isDiffering, referenceAt } from "../../secrets/reference.ts";
import { comparableForm } from "../../secrets/secret-table.ts";
import { referencesIn } from "../../secrets/walk.ts";
import { filled } from "../../settings/declared-keys.ts";
import { hasMask, isMask } from "../../settings/masks.ts";
import { removalOf } from "../../settings/patch-ways.ts";
import { hasSecret } from "../../settings/portable-keys.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import type { Observed } from "../../settings/setting.ts";
import { isKnownForm, withPair } from "../../settings/shown-as.ts";
import { isKeysName, keysEntries, settingEntries } from "../../settings/table.ts";
import { differingPaths, type Evidence, takesAll, type Verdict, verdictOn } from "../../settings/verdict.ts";
import type { Declared } from "./comparison.ts";
import type { Desired } from "./desired.ts";
import type { ObservedTenant } from "./observed-tenant.ts";

/** What is left of a tenant's pending changes once the platform's own forms, and what reads hide, are accepted. */
export interface Judged {
  /** The tenant, whose history has what was accepted. */
  tenant: ObservedTenant;
  /** The pending paths that need another read or write, or are an error, by their verdict. */
  left: ReadonlyMap<Verdict, readonly SettingPath[]>;
}

/**
 * Judges what the platform made of the values that this operation has written and that a read shows otherwise. Settings that it
 * has not written are left out.
 *
 * @param pending the pending changes of the tenant, as `compare` returns them.
 * @param isFinalRead whether the read began after the consistency timeout.
 */
export function judge(
  context: OperationContext,
  desired: Desired,
  tenant: ObservedTenant,
  pending: readonly SettingPath[],
  isFinalRead: boolean,
): Judged {
  const left = new Map<Verdict, SettingPath[]>();
  let { shownAs, unreadablePaths } = tenant.history;
  for (const whole of pending) {
    for (const { path, evidence } of evidenceOn(desired, tenant, whole, isFinalRead)) {
      const verdict = evidence === undefined ? formless(isFinalRead) : verdictOn(evidence);
      if (verdict === "own form") {
        shownAs = withPair(shownAs, path, evidence?.declared, evidence?.shown, evidence?.isSecret);
        context.note(describeOwnForm(path));
      } else if (verdict === "cannot be seen") {
        unreadablePaths = [...unreadablePaths, path];
        context.note(describeHidden(path));
      } else left.set(verdict, [...new Set([...(left.get(verdict) ?? []), whole])]); // it may have several parts
    }
  }
  const { history } = tenant;
  if (shownAs === history.shownAs && unreadablePaths === history.unreadablePaths) return { tenant, left };
  return { tenant: { ...tenant, history: { ...history, shownAs, unreadablePaths } }, left };
}

/**
 * A tenant as its POST may have made it: it accepts secrets that reads hide, and the forms of its own in which the platform may show
 * the other values.
 */
export function asPosted(
  desired: Desired,
  tenant: ObservedTenant,
  pending: readonly SettingPath[],
  mayHaveOwnForms: boolean,
): ObservedTenant {
  let { shownAs, unreadablePaths } = tenant.history;
  for (const { path, evidence } of pending.flatMap((whole) => evidenceOn(desired, tenant, whole, false))) {
    if (evidence === undefined) continue;
    const { declared, shown, isSecret } = evidence;
    const isOwn = mayHaveOwnForms && takesAll(declared, undefined, shown);
    if (isSecret && (isOwn || (shown ?? null) === null || isMask(shown))) unreadablePaths = [...unreadablePaths, path];
    else if (!isSecret && isOwn) shownAs = withPair(shownAs, path, declared, shown);
  }
  return { ...tenant, history: { ...tenant.history, shownAs, unreadablePaths } };
}

/** The verdict on a setting that has no form of its own. */
function formless(isFinalRead: boolean): Verdict {
  return isFinalRead ? "not taken" : "open";
}

/**
 * The parts of a pending value that differ, with what is known about them; none if its setting was not written. There is no evidence
 * if no platform shows the setting in a form of its own.
 */
function evidenceOn(
  desired: Desired,
  tenant: ObservedTenant,
  whole: SettingPath,
  isFinalRead: boolean,
): { path: SettingPath; evidence: Evidence | undefined }[] {
  const { before, beforeLast, answered, removals, shownAs } = tenant.history;
  const { platform } = tenant.integration;
  return settingEntries.flatMap(([name, { write, shown: shownIn }]): ReturnType<typeof evidenceOn> => {
    const start = before[name];
    if (name !== whole[0] || start === undefined) return [];
    if (shownIn === undefined) return [{ path: whole, evidence: undefined }];
    const [declared, shown] = [declaredForms(desired), shownForms(tenant)];
    const old = start === "nothing" ? {} : shownForms(start);
    const answer = answered[write.endpoint] && shownForms({ ...tenant, ...answered });
    const earlier = beforeLast[name] && shownForms(beforeLast[name]);
    const [wanted, seen] = [declared, shown].map((all) => withDefaults(desired, whole, valueAt(all, whole)));
    const removal = isKeysName(name) ? removals[name]?.at(-1) : undefined;
    const hasSentNull = isKeysName(name) && removal !== undefined && removalOf(platform, name, removal) === "send null";
    const isRemovedKey = whole.length > 1 && wanted === undefined;
    const differing = differingPaths(wanted, seen, whole, (path) => isSecret(desired, tenant, path));
    const paths = isRemovedKey || differing.length === 0 ? [whole] : differing;
    return paths.map((path) => {
      const [valueBefore, value] = [valueAt(old, path), valueAt(shown, path)];
      const evidence: Evidence = {
        isFinalRead,
        declared: valueAt(declared, path),
        before: valueBefore,
        shown: value,
        answered: answer && { value: valueAt(answer, path) },
        shownEarlier: earlier && { value: valueAt(earlier, path) },
        isSecret: isSecret(desired, tenant, path),
        wasShown: wasShown(tenant, path, valueBefore),
        isKnownForm: isKnownForm(shownAs, path, value),
        hasOwnForms: platform[name === "schedule" ? "schedule.form" : "values.form"] === "own",
        display: platform["secrets.display"],
        hasSentNull,
        isRemovedKey,
      };
      return { path, evidence };
    });
  });
}

/** The declared settings that the platform may show in a form of its own, as a read shows them if it does not. */
function declaredForms({ settings, secrets }: Pick<Desired, "settings" | "secrets">): JsonObject {
  const { schedule } = settings;
  const keys = keysEntries.flatMap(([name]): [string, JsonValue][] => {
    const declared = settings[name];
    return declared === undefined ? [] : [[name, comparableForm(declared, [], secrets)]];
  });
  return Object.fromEntries([...(schedule === undefined ? [] : [["schedule", schedule] as const]), ...keys]);
}

/** The settings of a tenant that the platform may show in a form of its own. */
function shownForms(observed: Observed): JsonObject {
  const entries = settingEntries.flatMap(([name, { shown }]): [string, JsonValue][] => {
    const value = shown?.(observed);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function withDefaults(
  { schemas }: Pick<Desired, "schemas">,
  [name, key]: SettingPath,
  value: JsonValue | undefined,
): JsonValue | undefined {
  const setting = keysEntries.find(([other]) => other === name)?.[1];
  return setting === undefined || key === undefined || value === undefined
    ? value
    : filled({ schema: setting.schemaOf(schemas), key, around: {} }, value);
}

/** Whether a value is a secret, has one, or is a part of one: by its declaration, the release's schema, its name or its form. */
function isSecret({ settings, schemas, secretPaths }: Declared, observed: Observed, path: SettingPath): boolean {
  const [name, ...keys] = path;
  return keysEntries.some(([other, { live, schemaOf }]) => {
    if (other !== name) return false;
    const declared = referencesIn(settings[other], []).map((reference) => [name, ...reference.path]);
    if ([...secretPaths, ...declared].some((one) => isAtOrWithin(one, path) || isAtOrWithin(path, one))) return true;
    const values = [settings[other], live(observed)].flatMap((all) => valueAt(all, keys) ?? []);
    return values.some((value) => hasMask(value) || hasSecret(value, keys, schemaOf(schemas)));
  });
}

/** Whether reads have shown a secret as it was written, until this operation wrote another one. */
function wasShown({ history }: ObservedTenant, path: SettingPath, before: JsonValue | undefined): boolean {
  if (before === undefined || isMask(before)) return false;
  if (history.unreadablePaths.some((hidden) => isAtOrWithin(path, hidden))) return false;
  const stored = valueAt(Object(history.stored), path);
  const [, ...keys] = path;
  return referenceAt(stored, keys) === undefined ? isDeepStrictEqual(stored, before) : !isDiffering(stored, keys);
}

function describeOwnForm(path: SettingPath): string {
  return (
    `the platform shows ${formatPath(path)} in another form than it is declared. Both count as equal from now on. ` +
    "To see its form, look at a tenant in the console; to end this, declare that form"
  );
}

function describeHidden(path: SettingPath): string {
  return (
    `reads do not show ${formatPath(path)} as it was written, as the platform hides it: its last written value is assumed, ` +
    "and changes made outside of Pulumi are not detected"
  );
}
