import type { CommandOutcome } from "../engine/run-command.ts";
import type { Contestant } from "./contenders/contender.ts";
import type { BenchPlatform } from "./platform/open-platform.ts";
import { driftedConfigs, driftingNames, type Workload, withChanges } from "./workload.ts";

/** What takes part in a step. */
export interface Stage {
  readonly platform: BenchPlatform;
  readonly contestant: Contestant;
  readonly workload: Workload;
}

/** What a contender is timed at. */
export interface Step {
  readonly name: StepName;
  /** Not timed. */
  prepare(stage: Stage): Promise<void>;
  /** Timed. */
  run(contestant: Contestant): Promise<CommandOutcome & { readonly hasFoundChanges?: boolean }>;
  /** What is on the platform afterwards; where there is none, the step has to write nothing. */
  readonly result?: (workload: Workload) => Workload;
}

export const stepNames = ["create", "no-op up", "preview", "preview, 1% drift", "change 10%", "destroy"] as const;
export type StepName = (typeof stepNames)[number];

const nothing = async () => {};

/** In this order; each begins where the one before ended. */
export const steps: readonly Step[] = [
  {
    name: "create",
    prepare: ({ contestant, workload }) => contestant.declare(workload),
    run: (contestant) => contestant.up(),
    result: (workload) => workload,
  },
  { name: "no-op up", prepare: nothing, run: (contestant) => contestant.up() },
  { name: "preview", prepare: nothing, run: (contestant) => contestant.preview() },
  { name: "preview, 1% drift", prepare: drift, run: (contestant) => contestant.preview() },
  {
    name: "change 10%",
    prepare: async (stage) => {
      await undoDrift(stage);
      await stage.contestant.declare(withChanges(stage.workload));
    },
    run: (contestant) => contestant.up(),
    result: withChanges,
  },
  { name: "destroy", prepare: nothing, run: (contestant) => contestant.destroy(), result: () => ({}) },
];

async function drift({ platform, workload }: Stage): Promise<void> {
  const names = new Set(driftingNames(workload));
  const drifting = Object.entries(workload).filter(([name]) => names.has(name));
  await platform.changeByHand(Object.fromEntries(drifting.map(([name, tenant]) => [name, driftedConfigs(tenant)])));
}

/** So that what is left to do is the same whether a contender has seen the drift or not. */
async function undoDrift({ platform, workload }: Stage): Promise<void> {
  const names = new Set(driftingNames(workload));
  const drifting = Object.entries(workload).filter(([name]) => names.has(name));
  await platform.changeByHand(Object.fromEntries(drifting.map(([name, { configs }]) => [name, configs])));
}
