import fc from "fast-check";
import type { FaultSpec } from "../../src/emulator/index.ts";
import type { Strategy, Wave } from "./declared.ts";
import type { Kill } from "./gate.ts";
import { type Tag, tags } from "./scene.ts";

/** A change of the program, of one of its fleets. `pick` is an index modulo the number of candidates. */
export type Edit =
  | { readonly kind: "target"; readonly tag: Tag }
  /** To the release of the last rollout that finished. */
  | { readonly kind: "way back" }
  | { readonly kind: "attempt" }
  | { readonly kind: "approve" }
  | { readonly kind: "add" | "remove" | "rename" | "exclude" | "unpin"; readonly pick: number }
  | { readonly kind: "pin"; readonly pick: number; readonly tag: Tag }
  | { readonly kind: "strategy"; readonly change: Partial<Strategy> };

/** How the runs of a release end: `"unknown"` with a word that nobody knows, `"silent"` with a trigger that stays 404. */
export type Ending = "success" | "failure" | "unknown" | "silent" | "slow";

/** What somebody else does on the platform to one of the tenants. */
export type Deed =
  | { readonly kind: "release"; readonly pick: number; readonly tag: Tag | "Latest" }
  | {
      readonly kind: "pause" | "resume" | "connect" | "disconnect" | "run" | "failed run" | "archive";
      readonly pick: number;
    }
  /** The runs of a release, of all tenants or of one. */
  | { readonly kind: "ending"; readonly tag: Tag; readonly pick: number | undefined; readonly ending: Ending };

/** One command of the user, and what happens before it. */
export interface Step {
  readonly fleet: number;
  readonly edits: readonly Edit[];
  readonly deeds: readonly Deed[];
  readonly advanceSeconds: number;
  readonly fault: FaultSpec | undefined;
  readonly kill: Kill | undefined;
  readonly command: "up" | "up --refresh" | "refresh" | "preview";
}

/** A story begins with finished fleets on `v1`. */
export interface Story {
  readonly fleets: readonly {
    readonly tenants: number;
    readonly pinned: readonly number[];
    readonly excluded: readonly number[];
    readonly unconnected: readonly number[];
    readonly strategy: Strategy;
  }[];
  readonly steps: readonly Step[];
}

export const tenantsMaximum = 9;
const pick = fc.nat({ max: tenantsMaximum });
const tag = fc.constantFrom(...tags);

const canary: Wave = { name: "canary", tenants: ["k0"] };
const waves = fc.constantFrom<Wave[]>(
  [{ percent: 100 }],
  [canary, { percent: 100 }],
  [canary, { name: "early", percent: 50, approval: "required" }, { percent: 100 }],
  [{ percent: 10 }, { percent: 50 }, { name: "rest", percent: 100 }],
  [canary, { name: "early", tenants: ["k2", "k1"], approval: "required" }, { percent: 40 }, { percent: 100 }],
  [canary, { percent: 0 }, { name: "rest", percent: 100, approval: "required" }],
);

const settings = {
  waves,
  minTenants: fc.constantFrom(0, 1, 1),
  soakSeconds: fc.constantFrom(0, 0, 60, 3600),
  deadlineSeconds: fc.constantFrom(86_400, 86_400, 600),
  whenUnconnected: fc.constantFrom<Strategy["whenUnconnected"]>("skip", "leave"),
  whenPaused: fc.constantFrom<Strategy["whenPaused"]>("skip", "leave"),
  maxUnavailable: fc.constantFrom<Strategy["maxUnavailable"]>(1, 1, 2, "10%", "50%", 100),
  maxFailures: fc.constantFrom<Strategy["maxFailures"]>(0, 0, 1, "50%"),
  onFailure: fc.constantFrom<Strategy["onFailure"]>("pause", "pause", "rollback"),
  window: fc.constantFrom<Strategy["window"]>(undefined, undefined, [9, 15], [0, 3]),
  timeZone: fc.constantFrom<Strategy["timeZone"]>(undefined, "Europe/Berlin"),
  freeze: fc.constantFrom<Strategy["freeze"]>(
    undefined,
    undefined,
    { from: "2026-06-02", to: "2026-06-03" },
    { from: "2026-06-01", to: "2026-06-01" },
  ),
  approved: fc.constantFrom<string[]>([], ["early"], ["early", "rest"]),
  paused: fc.constantFrom(false, false, false, true),
};

const strategy: fc.Arbitrary<Strategy> = fc.record(settings);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("target" as const), tag }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("way back" as const, "attempt", "approve") }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("add" as const, "add", "remove", "rename", "exclude", "unpin"),
      pick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pin" as const), pick, tag }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("strategy" as const), change: fc.record(settings, { requiredKeys: [] }) }),
  },
);

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("ending" as const),
      tag,
      pick: fc.option(pick, { nil: undefined }),
      ending: fc.constantFrom<Ending>("success", "success", "failure", "failure", "unknown", "silent", "slow"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("release" as const),
      pick,
      tag: fc.constantFrom<Tag | "Latest">(...tags, "Latest"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("pause" as const, "resume", "connect", "disconnect", "run", "failed run", "archive"),
      pick,
    }),
  },
);

const fault: fc.Arbitrary<FaultSpec> = fc
  .record({
    kind: fc.constantFrom("cut-before", "cut-after", "status", "status applied"),
    method: fc.constantFrom("POST", "PATCH", "PATCH", "GET"),
    skip: fc.nat({ max: 3 }),
    status: fc.constantFrom(500, 503, 422),
  })
  .map(({ kind, method, skip, status }): FaultSpec => {
    const common = { match: { method }, skip, times: 1 };
    if (kind === "cut-before" || kind === "cut-after") return { ...common, kind };
    return { ...common, kind: "status", status, applied: kind === "status applied" && status !== 422, body: {} };
  });

const kill: fc.Arbitrary<Kill> = fc.record({ at: fc.nat({ max: 40 }), isApplied: fc.boolean() });

const advanceSeconds = fc.constantFrom(0, 0, 0, 60, 3600, 6 * 3600, 86_400);

/** One in five. */
function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const step: fc.Arbitrary<Step> = fc.record({
  fleet: fc.nat({ max: 1 }),
  edits: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(edit, { maxLength: 2 }) },
  ),
  deeds: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(deed, { maxLength: 2 }) },
  ),
  advanceSeconds,
  fault: seldom(fault),
  kill: seldom(kill),
  command: fc.constantFrom<Step["command"]>("up", "up", "up", "up --refresh", "up --refresh", "refresh", "preview"),
});

const fleet = fc.record({
  tenants: fc.integer({ min: 3, max: 7 }),
  pinned: fc.uniqueArray(fc.nat({ max: 6 }), { maxLength: 1 }),
  excluded: fc.uniqueArray(fc.nat({ max: 6 }), { maxLength: 1 }),
  unconnected: fc.uniqueArray(fc.nat({ max: 6 }), { maxLength: 1 }),
  strategy,
});

/** A story whose first step changes the target. */
export const story: fc.Arbitrary<Story> = fc
  .record({
    fleets: fc.array(fleet, { minLength: 1, maxLength: 2 }),
    steps: fc.array(step, { minLength: 1, maxLength: 12 }),
    first: fc.constantFrom<Tag>("v2", "v3"),
  })
  .map(({ fleets, steps: [head, ...steps], first }) => ({
    fleets,
    steps: head === undefined ? [] : [{ ...head, edits: [{ kind: "target", tag: first }, ...head.edits] }, ...steps],
  }));
