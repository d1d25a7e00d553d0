import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonValue } from "../../src/json/json-value.ts";
import { openingAt } from "../../src/resources/fleet-rollout/calendar.ts";
import { rolloutSchema } from "../../src/stack/declarations/rollout-schema.ts";
import { anyJson, mutated } from "./mutations.ts";
import { fuzzProperty, type Subject } from "./property.ts";
import { fileOf, openProject, space, textsOf } from "./stack-project.ts";

/** Whatever the rollout of a fleet says: a stack, or problems, each with its place. */
export const rolloutYaml = fuzzProperty("rollouts in YAML", 400, async () => {
  const project = await openProject();
  return {
    inputs: rollouts.chain(({ rollout, isPlausible }) =>
      fc.record({ rollout: fc.constant(rollout), isPlausible: fc.constant(isPlausible), release: releases, tag: tags }),
    ),
    check: async ({ rollout, isPlausible, release, tag }) => {
      const config: JsonValue = {
        [`${space}builds`]: { next: { integration: "crm", tag } },
        [`${space}fleets`]: { billing: { integration: "crm", defaults: defaultsWith(release), tenants, rollout } },
      };
      await project.put("Pulumi.test.yaml", fileOf(config));
      const refusal = await project.readOrRefuse(textsOf(config));
      if (refusal === undefined) openCalendar(rollout);
      else expectPlaces(refusal, isPlausible);
    },
    [Symbol.asyncDispose]: project[Symbol.asyncDispose],
  } satisfies Subject<Input>;
});

interface Input {
  readonly rollout: JsonValue;
  /** Whether the file is read back as what was written. Text with any characters is not always. */
  readonly isPlausible: boolean;
  readonly release: JsonValue | undefined;
  readonly tag: JsonValue;
}

const tenants: JsonValue = { acme: {}, globex: {}, oldco: { release: { tag: "v1.0.0" } }, bigcorp: {} };

function defaultsWith(release: JsonValue | undefined): JsonValue {
  return release === undefined ? {} : { release };
}

/** Each problem has a line of its own. Where the file is not what the engine has, the place is the stack. */
function expectPlaces(refusal: string, isPlausible: boolean): void {
  const inFile = /^ {2}Pulumi\.test\.yaml:\d+:\d+: \S/;
  const anywhere = /^ {2}(Pulumi\.test\.yaml:\d+:\d+|stack test): \S/;
  const [, ...lines] = refusal.split("\n");
  assert.ok(lines.length > 0, "a refusal without problems");
  for (const line of lines) assert.match(line, isPlausible ? inFile : anywhere);
}

/** Windows and freezes that are accepted open or stay closed, and it does not take long to find out. */
function openCalendar(rollout: JsonValue): void {
  const { isOpen, opensAt } = openingAt(rolloutSchema.parse(rollout), new Date("2026-12-24T12:00:00Z"));
  assert.ok(isOpen || opensAt === undefined || opensAt.getTime() > 0);
}

const releases: fc.Arbitrary<JsonValue | undefined> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<JsonValue>({ tag: "v1.3.0" }, { id: 902 }, { build: "next" }) },
  fc.constantFrom<JsonValue | undefined>({ build: "nxt" }, { channel: "Latest" }, { tag: "v1", id: 1 }, undefined),
);
const tags: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 6, arbitrary: fc.constant("v1.3.0") },
  fc.constantFrom<JsonValue>("", 3, null, [], { toString: 1 }, { valueOf: 1, toString: 2 }),
);

const names = fc.constantFrom("canary", "early", "rest", "", "__proto__", "constructor");
const keys = fc.constantFrom("acme", "globex", "oldco", "bigcorp", "amce", "", "__proto__", "toString");
const numbers = fc.constantFrom(0, 0.5, 1, 2, 10, 33.3, 50, 99.9, 100, 101, -1, 86_400);
const shares = fc.oneof(numbers, fc.constantFrom("10%", "0%", "100%", "101%", "5.5%", "ten", "%", "999%", ""));
const days = fc.constantFrom("2026-12-20", "2026-12-24", "2027-01-03", "2026-02-30", "20.12.2026", "9999-12-31", "");
const cronFields = [
  ...["*", "0", "9-15", "*/5", "*/0", "1-4", "60", "0,30"],
  ...["31", "2", "L", "?", "JAN", "MON-FRI", "a", "1-"],
];
const windows = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom(...cronFields), { minLength: 4, maxLength: 6 })
      .map((fields) => fields.join(" ")),
  },
  fc.constantFrom("* * * * *", "0 0 30 2 *", "0 0 29 2 1", "@daily", "", " "),
);
const timeZones = fc.constantFrom(
  ...["UTC", "Europe/Berlin", "europe/berlin", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati"],
  ...["local", "GMT+2", "+02:00", "Etc/GMT+12", "Mars/Base", ""],
);

const some = { requiredKeys: [] };
const wave = fc.record(
  {
    name: names,
    tenants: fc.array(keys, { maxLength: 3 }),
    percent: numbers,
    approval: fc.constantFrom<JsonValue>("required", true),
  },
  some,
);

/** Values that a person may write, right or wrong, in any combination. */
const plausible: fc.Arbitrary<JsonValue> = fc
  .record(
    {
      waves: fc
        .tuple(fc.array(wave, { maxLength: 4 }), fc.boolean())
        .map(([waves, isWhole]) => (isWhole ? [...waves, { percent: 100 }] : waves)),
      gate: fc.record({ minTenants: numbers, soakSeconds: numbers, sync: names, whenPaused: names }, some),
      maxUnavailable: shares,
      maxFailures: shares,
      onFailure: fc.constantFrom("pause", "rollback", "stop"),
      windows: fc.array(windows, { maxLength: 3 }),
      timeZone: timeZones,
      freeze: fc.array(fc.record({ from: days, to: days }, some), { maxLength: 4 }),
      approvals: fc.dictionary(fc.constantFrom("v1.3.0", "v1"), fc.dictionary(names, fc.constantFrom("CHG-1", "")), {
        maxKeys: 2,
      }),
      paused: fc.boolean(),
      waitSeconds: numbers,
      attempt: numbers,
      exclude: fc.array(keys, { maxLength: 3 }),
    },
    some,
  )
  .map((rollout): JsonValue => JSON.parse(JSON.stringify(rollout)));

const good: JsonValue = {
  waves: [
    { name: "canary", tenants: ["acme"] },
    { name: "early", tenants: ["globex"], approval: "required" },
    { percent: 50 },
    { percent: 100 },
  ],
  gate: { sync: "normal", minTenants: 1, soakSeconds: 3600, succeededStatuses: ["Done"] },
  maxUnavailable: "10%",
  maxFailures: 1,
  onFailure: "rollback",
  windows: ["* 9-15 * * 1-4"],
  timeZone: "Europe/Berlin",
  freeze: [{ from: "2026-12-20", to: "2027-01-03" }],
  approvals: { "v1.3.0": { early: "CHG-123" } },
  paused: false,
  waitSeconds: 60,
  attempt: 2,
  exclude: ["bigcorp"],
};

const rollouts: fc.Arbitrary<Pick<Input, "rollout" | "isPlausible">> = fc.oneof(
  { weight: 5, arbitrary: plausible.map(asPlausible) },
  { weight: 4, arbitrary: mutated(good).map((rollout) => ({ rollout, isPlausible: false })) },
  { weight: 2, arbitrary: plausible.chain(mutated).map((rollout) => ({ rollout, isPlausible: false })) },
  anyJson.map((rollout) => ({ rollout, isPlausible: false })),
);

/** YAML reads a key `__proto__` in its own way. */
function asPlausible(rollout: JsonValue): Pick<Input, "rollout" | "isPlausible"> {
  return { rollout, isPlausible: !JSON.stringify(rollout).includes("__proto__") };
}
