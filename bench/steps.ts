import type { CommandOutcome } from "../engine/run-command.ts";
import type { Contestant } from "./contenders/contender.ts";
import type { BenchPlatform } from "./platform/open-platform.ts";
import { driftedConfigs, driftingNames, type Workload, withChanges } from "./workload.ts";

/** What a step works on. */
export interface Stage {
  readonly platform: BenchPlatform;
  readonly contestant: Contestant;
  readonly workload: Workload;
}

/** One timed command of a contender. */
export interface Step {
  readonly name: StepName;
  /** Not timed. */
  prepare(stage: Stage): Promise<void>;
  /** Timed. */
  run(contestant: Contestant): Promise<CommandOutcome & { readonly hasFoundChanges?: boolean }>;
  /** The tenants that the platform must have afterwards. If it is absent, the step must not write. */
  readonly result?: (workload: Workload) => Workload;
}

export const stepNames = ["create", "no-op up", "preview", "preview, 1% drift", "change 10%", "destroy"] as const;
export type StepName = (typeof stepNames)[number];

const nothing = async () => {};

/** All steps, in their order. Each starts from the result of the step before. */
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

/** Undoes the drift, so that the next step has the same work for contenders that see drift and those that don't. */
async function undoDrift({ platform, workload }: Stage): Promise<void> {
  const names = new Set(driftingNames(workload));
  const drifting = Object.entries(workload).filter(([name]) => names.has(name));
  await platform.changeByHand(Object.fromEntries(drifting.map(([name, { configs }]) => [name, configs])));
}
