import type { BackendName } from "./backends/backend.ts";
import type { ContenderName, EngineLog } from "./contenders/contender.ts";
import type { Entrant } from "./entrants.ts";

/** What a run measures: groups, in their order. */
export type Plan = readonly Group[];

/** Entrants that take turns in each round, so that other load on the machine affects all of them. */
export interface Group {
  /** The number of tenants. */
  readonly size: number;
  /** How long the platform delays each request. */
  readonly latencyMilliseconds: number;
  readonly rounds: number;
  readonly entrants: readonly Entrant[];
  /** What was requested but is not measured, and why; "" if nothing. */
  readonly skipped?: string;
}

export const planNames = ["short", "long"] as const;
export type PlanName = (typeof planNames)[number];

const ofThisPackage = ["native", "tenants", "native-fleet", "fleet"] as const;
const fleets = ["native-fleet", "fleet"] as const;
const noLatency = 0;

/** The plans of `npm run bench`. How long they take is for two cores. */
export const plans: Readonly<Record<PlanName, Plan>> = {
  /** Less than 15 minutes: one round of the size with most of the targets. */
  short: [
    {
      size: 1_000,
      latencyMilliseconds: noLatency,
      rounds: 1,
      entrants: [
        ...on("file", ["terraform", "native", "native-fleet", "tenants"]),
        ...on("file", ["native-fleet"], "off"),
        ...on("journal", ["native"]),
      ],
    },
  ],
  /** Three to four hours. The groups that have targets come first. */
  long: [
    {
      size: 1_000,
      latencyMilliseconds: noLatency,
      rounds: 3,
      entrants: [
        ...on("file", ["terraform", ...ofThisPackage]),
        ...on("file", fleets, "off"),
        ...on("journal", ofThisPackage),
      ],
    },
    {
      size: 10_000,
      latencyMilliseconds: noLatency,
      rounds: 1,
      entrants: [...on("file", fleets), ...on("file", fleets, "off"), ...on("journal", ["native"])],
    },
    {
      size: 3_000,
      latencyMilliseconds: noLatency,
      rounds: 1,
      entrants: [
        ...on("file", ["terraform", ...fleets]),
        ...on("file", fleets, "off"),
        ...on("journal", ["native", "tenants"]),
        ...on("file", ["native", "tenants"]),
      ],
    },
    {
      size: 1_000,
      latencyMilliseconds: 50,
      rounds: 1,
      entrants: on("file", ["terraform", ...ofThisPackage]),
    },
    {
      size: 100,
      latencyMilliseconds: noLatency,
      rounds: 3,
      entrants: [
        ...on("file", ["terraform", ...ofThisPackage, "plain"]),
        ...on("s3", ofThisPackage),
        ...on("postgres", ofThisPackage),
        ...on("journal", ofThisPackage),
      ],
    },
  ],
};

function on(backend: BackendName, contenders: readonly ContenderName[], engineLog: EngineLog = "on"): Entrant[] {
  return contenders.map((contender) => ({ contender, backend, engineLog }));
}
