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
        ...on("file", ["native", "terraform", "native-fleet", "tenants"]),
        ...on("file", ["native-fleet"], "off"),
        ...on("journal", ["native"]),
      ],
    },
  ],
  /** Some three and a half hours. The size at which an interruption costs most comes last. */
  long: [
    {
      size: 100,
      latencyMilliseconds: noLatency,
      rounds: 3,
      entrants: [
        ...on("file", [...ofThisPackage, "terraform", "plain"]),
        ...on("s3", ofThisPackage),
        ...on("postgres", ofThisPackage),
        ...on("journal", ofThisPackage),
      ],
    },
    {
      size: 1_000,
      latencyMilliseconds: noLatency,
      rounds: 3,
      entrants: [
        ...on("file", [...ofThisPackage, "terraform"]),
        ...on("file", fleets, "off"),
        ...on("journal", ["native", "tenants"]),
      ],
    },
    {
      size: 1_000,
      latencyMilliseconds: 50,
      rounds: 1,
      entrants: on("file", [...ofThisPackage, "terraform"]),
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
        ...on("file", fleets),
        ...on("file", fleets, "off"),
        ...on("journal", ["native", "tenants"]),
        ...on("file", ["native", "terraform", "tenants"]),
      ],
    },
  ],
};

function on(backend: BackendName, contenders: readonly ContenderName[], engineLog: EngineLog = "on"): Entrant[] {
  return contenders.map((contender) => ({ contender, backend, engineLog }));
}
