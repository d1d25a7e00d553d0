import type { Entrant } from "../entrants.ts";
import type { StepName } from "../steps.ts";

/** What an entrant should reach. All its limits are for no latency. */
export interface Target {
  readonly entrant: Entrant;
  readonly limits: readonly Limit[];
}

/** The most that is allowed at a number of tenants. */
export type Limit =
  /** The wall time of a step as a ratio to Terraform's. */
  | { readonly kind: "ratio"; readonly step: StepName; readonly size: number; readonly most: number }
  /** The wall time of a step in seconds. */
  | { readonly kind: "seconds"; readonly step: StepName; readonly size: number; readonly most: number }
  /** The provider's peak memory in all steps. */
  | { readonly kind: "megabytes"; readonly size: number; readonly most: number }
  /** The provider's CPU time in the step where it grows most, as a ratio to the one at `from` tenants. */
  | { readonly kind: "growth"; readonly from: number; readonly size: number; readonly most: number };

const native = { contender: "native", backend: "file", engineLog: "on" } as const;
const nativeOnJournal = { contender: "native", backend: "journal", engineLog: "on" } as const;
const tenants = { contender: "tenants", backend: "file", engineLog: "on" } as const;
const fleets = [
  { contender: "native-fleet", backend: "file", engineLog: "on" },
  { contender: "fleet", backend: "file", engineLog: "on" },
] as const;

/** The targets of docs/performance.md. */
export const targets: readonly Target[] = [
  { entrant: native, limits: ratios("create", { 1000: 1.0, 3000: 1.2 }) },
  { entrant: native, limits: ratios("preview", { 1000: 0.9, 3000: 0.9 }) },
  { entrant: native, limits: ratios("destroy", { 1000: 0.6, 3000: 0.7 }) },
  { entrant: nativeOnJournal, limits: ratios("create", { 1000: 0.3, 3000: 0.2 }) },
  { entrant: nativeOnJournal, limits: ratios("destroy", { 1000: 0.2, 3000: 0.15 }) },
  { entrant: tenants, limits: ratios("preview", { 1000: 1.2, 3000: 1.1 }) },
  ...fleets.flatMap((fleet): Target[] => [
    {
      entrant: { ...fleet, engineLog: "off" },
      limits: [...ratios("preview", { 1000: 0.7, 3000: 0.4 }), seconds("preview", 10_000, 28)],
    },
    { entrant: fleet, limits: [...ratios("preview", { 1000: 0.8, 3000: 0.5 }), seconds("preview", 10_000, 50)] },
    { entrant: fleet, limits: [...ratios("create", { 1000: 0.15, 3000: 0.04 }), seconds("create", 10_000, 40)] },
  ]),
  { entrant: native, limits: megabytes({ 1000: 170, 3000: 220 }) },
  { entrant: fleets[0], limits: megabytes({ 1000: 170, 3000: 220, 10000: 320 }) },
  ...[nativeOnJournal, ...fleets].map((entrant): Target => ({ entrant, limits: [growth(1_000, 10_000, 11)] })),
];

/** The most by number of tenants. */
type MostBySize = Readonly<Record<number, number>>;

function ratios(step: StepName, mostBySize: MostBySize): Limit[] {
  return bySize(mostBySize, (size, most) => ({ kind: "ratio", step, size, most }));
}

function seconds(step: StepName, size: number, most: number): Limit {
  return { kind: "seconds", step, size, most };
}

function megabytes(mostBySize: MostBySize): Limit[] {
  return bySize(mostBySize, (size, most) => ({ kind: "megabytes", size, most }));
}

function growth(from: number, size: number, most: number): Limit {
  return { kind: "growth", from, size, most };
}

function bySize(mostBySize: MostBySize, limit: (size: number, most: number) => Limit): Limit[] {
  return Object.entries(mostBySize).map(([size, most]) => limit(Number(size), most));
}
