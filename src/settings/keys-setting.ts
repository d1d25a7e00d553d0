import { isDeepStrictEqual } from "node:util";
import { freeFormSchema } from "../inputs/input-schema.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { formatPath, partOf, withPart } from "../json/key-path.ts";
import { asRead, withoutInexactNumbers } from "../json/number-sources.ts";
import { noSchema, type ReleaseSchema } from "../json-schema/index.ts";
import { declaredObjectSchema } from "../secrets/declared-object.ts";
import { isPlaceholder } from "../secrets/placeholders.ts";
import { sentForm } from "../secrets/secret-table.ts";
import { escaped, hasDiffering, undiffering, withLiveForPlaceholders } from "../secrets/walk.ts";
import {
  areSameDeclared,
  type ComparedKey,
  comparableKeys,
  HiddenValueError,
  observedKeys,
  remainingKeys,
  wholeObject,
  withNulls,
} from "./declared-keys.ts";
import { hasMask } from "./masks.ts";
import { withNumbersOfReads } from "./numbers-of-reads.ts";
import { isMerge } from "./patch-ways.ts";
import { portableKeys } from "./portable-keys.ts";
import type { NotCompared, SettingPath } from "./reveal.ts";
import type { Change, Comparison, Observed, Schemas, Setting } from "./setting.ts";
import { inDeclaredForm } from "./shown-as.ts";

/** A setting that is a free-form object. Only its declared keys are managed. */
export interface KeysSetting extends Setting<JsonObject> {
  readonly kind: "keys";
  /** The whole live object, with undeclared keys. */
  live(observed: Observed): JsonObject;
  schemaOf(schemas: Schemas): ReleaseSchema;
}

/** What differs between `configs` and `metadata`. */
interface Own extends Pick<KeysSetting, "triggersSync" | "live" | "createFields" | "schemaOf"> {
  name: "configs" | "metadata";
  /** The setting's write, built from a function that returns the whole object to send. */
  writeWhole: (whole: (change: Change<JsonObject>) => JsonObject) => KeysSetting["write"];
}

/** Creates a setting that is a free-form object. */
export function keysSetting({ name, live, schemaOf, writeWhole, ...own }: Own): KeysSetting {
  const keysOf = ({ declared, lastKnown = {}, schemas, ...known }: Comparison<JsonObject>) => ({
    ...known,
    name,
    declared,
    written: lastKnown,
    schema: schemaOf(schemas),
  });
  const pendingPaths: KeysSetting["pendingPaths"] = ({ declared = {}, seen = {}, removed, observed, schemas }) => {
    const differing = Object.entries(declared).flatMap(([key, wanted]) => {
      const found = partOf(seen, key);
      return isDeepStrictEqual(withLiveForPlaceholders(wanted, found, [key]), found) ? [] : [key];
    });
    return [...differing, ...remainingKeys({ removed, schema: schemaOf(schemas) }, live(observed))].map((key) => [key]);
  };
  return {
    ...own,
    schema: declaredObjectSchema,
    storedSchema: freeFormSchema,
    kind: "keys",
    live,
    schemaOf,
    shown: (observed) => withoutInexactNumbers(live(observed)),
    observe: (comparison) => observedKeys(keysOf(comparison), live(comparison.observed)),
    pathsNotCompared: (comparison) => {
      const paths: { path: SettingPath; why: NotCompared }[] = [];
      observedKeys(keysOf(comparison), live(comparison.observed), (path, why) => paths.push({ path, why }));
      return paths;
    },
    pendingPaths,
    unlikeCreated: (pending) => {
      if (own.createFields === undefined) return [];
      const { declared = {}, observed, schemas } = pending;
      const undeclared = Object.keys(live(observed)).filter((key) => !Object.hasOwn(declared, key));
      const defaults = schemaOf(schemas).withDefaults(declared);
      return [
        ...pendingPaths(pending),
        ...undeclared.filter((key) => !Object.hasOwn(defaults, key)).map((key) => [key]),
      ];
    },
    areEquivalent: (left, right, schemas) => {
      const schema = schemaOf(schemas);
      const keys = Object.keys({ ...left, ...right });
      return keys.every((key) => {
        // the live value of a key that only one of them declares may be another than the default
        if (!Object.hasOwn(left, key) || !Object.hasOwn(right, key)) return false;
        const [before, now] = [partOf(left, key), partOf(right, key)];
        // the other keys of the live object may decide the defaults; then the update compares with it
        const filled = schema.hasConditionalDefaults() ? noSchema : schema;
        const compared = { schema: filled, key, around: {} };
        return areSameDeclared(compared, before, now) || isIgnored(compared, before, now);
      });
    },
    write: writeWhole(
      ({ declared: keys = {}, secrets, removed, observed, schemas, removal, patch, shownAs, unseen }) => {
        const all = live(observed);
        const own = Object.fromEntries(Object.entries(keys).filter(([key, value]) => !isPlaceholder(value, [key])));
        const sent = withNumbersOfReads(sentForm(secrets, own), all, { schema: schemaOf(schemas), form: "raw" });
        const declared = withLiveForPlaceholders(sent, asRead(all), [], (live, path) => {
          if (hasMask(live)) throw hiddenPart(name, path);
        });
        const kept = isMerge(patch) ? declared : wholeObject({ declared, removed }, all, name);
        const whole = unseen.reduce((object, path) => withPart(object, path, null), kept);
        if (removal === "leave out") return whole;
        const nulls = remainingKeys({ removed, schema: schemaOf(schemas) }, all).map((key) => [key, null]);
        const known = inDeclaredForm(all, { name, declared: comparableKeys(own, secrets), shownAs });
        // a shallow merge replaces the value of a key, and would keep the nulls in it
        const inside = Object.entries(patch === "merge" ? {} : declared).map(([key, wanted]) => [
          key,
          withNulls(wanted, partOf(known, key)),
        ]);
        return { ...whole, ...Object.fromEntries(nulls), ...Object.fromEntries(inside) };
      },
    ),
    export: ({ observed, schemas }) => {
      const { kept, leftOut } = portableKeys(name, live(observed), schemaOf(schemas));
      return { value: Object.keys(kept).length === 0 ? undefined : escaped(kept, []), leftOut };
    },
  };
}

function hiddenPart(name: string, path: SettingPath): HiddenValueError {
  return new HiddenValueError(
    `the platform hides ${formatPath([name, ...path])} in reads, and ignoreChanges keeps what it has there, so a change of ` +
      `${name} could destroy it. Declare it, and remove it from ignoreChanges`,
  );
}

/**
 * Whether the declared value is an observed one that the resource option `ignoreChanges` has put in place of the program's:
 * then the stored one may have the same reference with another mark.
 */
function isIgnored(compared: ComparedKey, before: JsonValue | undefined, now: JsonValue | undefined): boolean {
  const path = [compared.key];
  if (before === undefined || now === undefined || !hasDiffering(now, path)) return false;
  return areSameDeclared(compared, undiffering(before, path), undiffering(now, path));
}
