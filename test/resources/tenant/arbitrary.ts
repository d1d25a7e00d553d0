import fc from "fast-check";
import type { Seed, Variants } from "../../../src/emulator/index.ts";
import type { JsonObject, JsonValue } from "../../../src/json/json-value.ts";
import { unknownValue } from "../../../src/json/unknown.ts";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";

/** An integration that accepts any configs. Its third release has defaults and a secret. */
export const seed: Seed = {
  integrations: [
    {
      id: 1,
      name: "crm",
      default_release_id: 11,
      releases: [
        { id: 11, name: "one", tag: "v1" },
        { id: 12, name: "two", tag: "v2" },
        {
          id: 13,
          name: "three",
          tag: "v3",
          config_schema: {
            properties: { a: { default: { x: 1 } }, b: { default: "B" }, secret: { format: "password" } },
          },
          metadata_schema: { properties: { a: { default: [] } } },
        },
      ],
    },
  ],
};

/** Variants of the platform, except lists that lag behind, because these take real time. */
export const variants: fc.Arbitrary<Partial<Variants>> = fc.record({
  configs: fc.constantFrom("replace", "merge", "merge-patch"),
  metadata: fc.constantFrom("replace", "merge", "merge-patch"),
  patchAnswer: fc.constantFrom("object", "nothing", "empty"),
  maskedConfigs: fc.constantFrom("no", "yes"),
  archivedList: fc.constantFrom("alone", "along"),
  sorting: fc.constantFrom("accept", "refuse", "ignore"),
  pageSize: fc.constantFrom("asked", "capped"),
  releaseAndChannel: fc.constantFrom("accept", "refuse"),
  metadataWhenNone: fc.constantFrom("empty", "missing"),
  defaults: fc.constantFrom("present", "absent"),
  schemaDefaults: fc.constantFrom("fill", "leave"),
});

// a JSON parser that builds objects by assignment loses the key `__proto__`, so it cannot be sent
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "b", "c", "secret") },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 6 }).filter((text) => text !== "__proto__") },
  { weight: 1, arbitrary: fc.constantFrom("constructor", "toString", "valueOf", "0") },
);

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** Any JSON object, with secrets as strings. */
export const json: fc.Arbitrary<JsonObject> = fc
  .dictionary(key, value, { maxKeys: 5, noNullPrototype: true })
  .map((object) => ("secret" in object ? { ...object, secret: `secret ${JSON.stringify(object.secret)}` } : object));

const settings = {
  schedule: fc.constantFrom("none", "0 */6 * * *", " 5  5 * *   MON-FRI", "*/15 0-5,20 1 1 *"),
  release: fc.constantFrom(
    { id: 12 },
    { tag: "v1" },
    { tag: "v3" },
    { channel: "Latest" as const },
    { channel: "Default" as const },
  ),
  paused: fc.boolean(),
  configs: json,
  metadata: json,
};

/** Valid inputs, with each setting declared or not. */
export const inputs: fc.Arbitrary<TenantInputs> = fc
  .tuple(fc.constantFrom("acme", "globex"), fc.record(settings, { requiredKeys: [], noNullPrototype: true }))
  .map(([name, declared]) => ({ integration: "crm", name, ...declared }));

/** A merge patch cannot write null, because null means removal there. */
export function withoutNulls<T>(object: T, { configs, metadata }: Partial<Variants>): T {
  if (configs !== "merge-patch" && metadata !== "merge-patch") return object;
  return JSON.parse(JSON.stringify(object, (_, inner) => (inner === null ? 0 : inner)));
}

/** The inputs with unknown values in generated places. */
export const inputsWithUnknowns: fc.Arbitrary<object> = fc
  .tuple(inputs, fc.infiniteStream(fc.nat({ max: 4 })))
  .map(([known, dice]) => Object(strewn(known, dice)));

/** Any values for the inputs' names and for one unknown name. */
export const anything: fc.Arbitrary<object> = fc.dictionary(
  fc.constantFrom("integration", "name", "schedule", "release", "paused", "configs", "metadata", "adopt", "other"),
  fc.oneof(value, fc.constant(unknownValue), fc.constant("crm"), fc.constant({ id: unknownValue })),
  { noNullPrototype: true },
);

function strewn(known: unknown, dice: fc.Stream<number>): unknown {
  if (typeof known !== "object" || known === null) return dice.next().value === 0 ? unknownValue : known;
  if (Array.isArray(known)) return known.map((item) => strewn(item, dice));
  return Object.fromEntries(Object.entries(known).map(([name, inner]) => [name, strewn(inner, dice)]));
}
