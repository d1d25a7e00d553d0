import fc from "fast-check";
import { defaultVariants, type Variants, variantValues } from "../../../../src/emulator/index.ts";
import { changeVariants } from "../../../../src/emulator/variants.ts";
import type { JsonObject, JsonValue } from "../../../../src/json/json-value.ts";
import { pairwise } from "../../../model/pairwise.ts";

/** What happens to one tenant. */
export type Story = readonly Step[];

export type Step =
  | {
      readonly kind: "update";
      readonly declared: Declared;
      /** What others write while the update goes on. */
      readonly meanwhile: readonly Meanwhile[];
      /** The fields that the platform accepts and ignores during the update. */
      readonly ignored: readonly ("user_schedule" | "configs" | "a" | "b")[];
      /** Whether the answers to the ignored fields show them as they were sent. */
      readonly isPretended: boolean;
    }
  | ({ readonly kind: "others" } & Write);

export interface Declared {
  readonly schedule: string;
  readonly configs: JsonObject;
  readonly metadata: JsonObject;
}

/** A value that others give to a place. */
export interface Write {
  readonly place: Place;
  readonly value: JsonValue;
}

/** All places that are declared, or that others write. */
export const places = ["schedule", "configs/a", "configs/b", "configs/token", "metadata/a", "metadata/b"] as const;

export type Place = (typeof places)[number];

interface Meanwhile extends Write {
  /** Before which request of the update that reads or writes the setting; the first is 0. */
  readonly before: number;
}

const values: readonly JsonValue[] = [
  ...["x", " x", "x ", "", "1", 1, 2, [], true],
  ...[[{ n: 1 }], [{ n: 1, enabled: true }], [{ n: " 2" }, "y"]],
  ...[{ p: " x", q: 1 }, { p: "x", q: "1" }, { p: "", q: 2 }, { p: { r: " z" } }],
];
const schedules = ["30 */6 * * *", "33 */6 * * *", "45 */6 * * *", "0 1 * * *", "none"];

const value = fc.constantFrom(...values);
const secret = fc.constantFrom("secret-one", "secret-two", " secret-two");
const keys = { a: value, b: value };
const optional = { requiredKeys: ["a" as const], noNullPrototype: true };

const declared: fc.Arbitrary<Declared> = fc.record({
  schedule: fc.constantFrom(...schedules),
  configs: fc.record({ ...keys, token: secret }, optional),
  metadata: fc.record(keys, optional),
});

const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ place: fc.constant<Place>("schedule"), value: fc.constantFrom(...schedules.slice(0, -1)) }),
  fc.record({ place: fc.constant<Place>("configs/token"), value: secret }),
  {
    weight: 3,
    arbitrary: fc.record({
      place: fc.constantFrom<Place[]>("configs/a", "configs/b", "metadata/a", "metadata/b"),
      value,
    }),
  },
);

const meanwhile = fc.tuple(write, fc.nat({ max: 5 })).map(([one, before]): Meanwhile => ({ ...one, before }));

const update = fc.record({
  kind: fc.constant("update" as const),
  declared,
  meanwhile: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(meanwhile, { minLength: 1, maxLength: 4 }) },
  ),
  ignored: fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom("user_schedule", "configs", "a", "b"), { minLength: 1 }) },
  ),
  isPretended: fc.boolean(),
});

/** An update, and more updates and writes of others. */
export const story: fc.Arbitrary<Story> = fc
  .tuple(
    update,
    fc.array(
      fc.oneof<fc.Arbitrary<Step>[]>(
        update,
        write.map((one): Step => ({ kind: "others", ...one })),
      ),
      { maxLength: 4 },
    ),
  )
  .map(([first, more]) => [first, ...more]);

const played = [
  ...["configs", "metadata", "patchAnswer", "scheduleForm", "textForm", "numbers", "listDefaults", "emptyValues"],
  ...["maskedConfigs", "schemaDefaults", "visibility"],
];

/** Platforms with each two values of the variants that decide what becomes of a write. */
export const platforms: readonly Variants[] = pairwise(
  Object.fromEntries(
    Object.entries(variantValues)
      .filter(([name]) => played.includes(name))
      .map(([name, all]) => [name, all.filter((one) => one !== "delayed" && one !== "rounded")]),
  ),
).map((row) => changeVariants(defaultVariants, row));
