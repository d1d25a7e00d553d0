import { isDeepStrictEqual } from "node:util";
import { freeFormSchema } from "../inputs/input-schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import { partOf } from "../json/key-path.ts";
import type { ReleaseSchema } from "../json-schema/index.ts";
import {
  observedKeys,
  remainingKeys,
  type SettingPath,
  semanticallyEqual,
  wholeObject,
  withNulls,
} from "./declared-keys.ts";
import { portableKeys } from "./portable-keys.ts";
import type { Change, Comparison, Observed, Schemas, Setting } from "./setting.ts";

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
  const keysOf = ({ declared, lastKnown = {}, schemas, hiding }: Comparison<JsonObject>) => ({
    declared,
    written: lastKnown,
    schema: schemaOf(schemas),
    hiding,
  });
  const pendingPaths: KeysSetting["pendingPaths"] = ({ declared = {}, seen = {}, removed, observed, schemas }) => {
    const differing = Object.keys(declared).filter((key) => !isDeepStrictEqual(declared[key], partOf(seen, key)));
    return [...differing, ...remainingKeys({ removed, schema: schemaOf(schemas) }, live(observed))].map((key) => [key]);
  };
  return {
    ...own,
    schema: freeFormSchema,
    kind: "keys",
    live,
    schemaOf,
    observe: (comparison) => observedKeys(keysOf(comparison), live(comparison.observed)),
    hiddenPaths: (comparison) => {
      const paths: SettingPath[] = [];
      observedKeys(keysOf(comparison), live(comparison.observed), (path) => paths.push(path));
      return paths;
    },
    pendingPaths,
    unlikeCreated: (pending) => {
      if (own.createFields === undefined) return [];
      const { declared = {}, observed, schemas } = pending;
      const undeclared = Object.keys(live(observed)).filter((key) => !Object.hasOwn(declared, key));
      const defaults = schemaOf(schemas).withDefaults({});
      return [
        ...pendingPaths(pending),
        ...undeclared.filter((key) => !Object.hasOwn(defaults, key)).map((key) => [key]),
      ];
    },
    areEquivalent: (left, right, schemas) => {
      const schema = schemaOf(schemas);
      const keys = Object.keys({ ...left, ...right });
      return keys.every((key) => semanticallyEqual(schema, key, partOf(left, key), partOf(right, key)));
    },
    write: writeWhole(({ declared = {}, removed, observed, schemas, removal }) => {
      const all = live(observed);
      const whole = wholeObject({ declared, removed }, all, name);
      if (removal === "leave out") return whole;
      const nulls = remainingKeys({ removed, schema: schemaOf(schemas) }, all).map((key) => [key, null]);
      const inside = Object.entries(declared).map(([key, wanted]) => [key, withNulls(wanted, partOf(all, key))]);
      return { ...whole, ...Object.fromEntries(nulls), ...Object.fromEntries(inside) };
    }),
    export: ({ observed, schemas }) => {
      const { kept, leftOut } = portableKeys(name, live(observed), schemaOf(schemas));
      return { value: Object.keys(kept).length === 0 ? undefined : kept, leftOut };
    },
  };
}
