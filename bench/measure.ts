import { isDeepStrictEqual } from "node:util";
import type { CommandOutcome } from "../engine/run-command.ts";
import { openBackend } from "./backends/open-backend.ts";
import type { Contestant } from "./contenders/contender.ts";
import { contenderNamed } from "./contenders/contenders.ts";
import { entrantName, type Turn } from "./entrants.ts";
import { apiKey, type BenchPlatform, openPlatform } from "./platform/open-platform.ts";
import { processMark, watchProcesses } from "./processes.ts";
import type { Measurement } from "./results.ts";
import { type Stage, type Step, steps } from "./steps.ts";
import { tenantsOf, type Workload, workloadOf } from "./workload.ts";

/**
 * Measures one turn: runs all steps of its contender once, on a new platform and a new backend. After each step it checks that
 * the platform has the tenants that the step must leave, so that all contenders do the same work.
 *
 * @param signal aborted when the benchmark has to end.
 * @throws Error if a step fails, leaves other tenants than it must, or writes although it must not.
 */
export async function measure(turn: Turn, signal: AbortSignal): Promise<Measurement[]> {
  const { backend, engineLog, size, latencyMilliseconds } = turn;
  const name = entrantName(turn);
  const contender = contenderNamed(turn.contender);
  const mark = processMark();
  await using platform = await openPlatform(latencyMilliseconds);
  await using ownBackend = await openBackend(backend);
  await using contestant = await contender.open({
    url: platform.url,
    apiKey,
    env: mark,
    backend: ownBackend,
    engineLog,
  });
  const stage: Stage = { platform, contestant, workload: workloadOf(size) };
  const measurements: Measurement[] = [];
  for (const step of steps) {
    signal.throwIfAborted();
    await step.prepare(stage);
    await platform.resetRequestCount();

    const stopWatching = watchProcesses(mark, contender.roles);
    const start = performance.now();
    const outcome = await step.run(contestant);
    const wallSeconds = (performance.now() - start) / 1000;
    const usage = stopWatching();
    signal.throwIfAborted();

    const count = await platform.requestCount();
    requireSuccess(`${name}, ${size} tenants, ${step.name}`, outcome);
    await requireResult(step, stage, count.requests);
    // only a preview tells whether it has found changes
    const hasFoundChanges = "hasFoundChanges" in outcome ? { hasFoundChanges: outcome.hasFoundChanges } : {};
    const state = await stateSizeAfter(step, contestant);
    measurements.push({ step: step.name, wallSeconds, ...usage, ...count, ...state, ...hasFoundChanges });
  }
  return measurements;
}

/** The size of the stored state. It is measured only after `create`. */
async function stateSizeAfter({ name }: Step, contestant: Contestant): Promise<Pick<Measurement, "state">> {
  return name === "create" ? { state: await contestant.state() } : {};
}

function requireSuccess(what: string, { code, stdout, stderr }: CommandOutcome): void {
  if (code !== 0) throw new Error(`${what}: ended with ${code}\n${stdout}\n${stderr}`);
}

/**
 * Checks that the platform has the tenants that the step must leave, or that a step without a result has not written.
 *
 * @param requests the numbers of requests of the step, by method and path.
 */
async function requireResult(step: Step, stage: Stage, requests: Readonly<Record<string, number>>) {
  if (step.result === undefined) {
    const writes = Object.keys(requests).filter((kind) => !kind.startsWith("GET "));
    if (writes.length > 0) throw new Error(`${step.name} must not write, but sent ${writes.join(", ")}`);
    return;
  }
  await requireTenants(step.name, stage.platform, step.result(stage.workload));
}

/**
 * Checks that the live tenants are the declared ones.
 *
 * @throws Error with both counts and the first difference, if they differ.
 */
export async function requireTenants(
  step: string,
  platform: Pick<BenchPlatform, "tenants">,
  workload: Workload,
): Promise<void> {
  const [actual, expected] = [await platform.tenants(), tenantsOf(workload)];
  if (isDeepStrictEqual(actual, expected)) return;
  const wrong = expected.findIndex((tenant, index) => !isDeepStrictEqual(actual[index], tenant));
  const example = wrong < 0 ? "" : `; ${expected[wrong]?.name}: ${JSON.stringify(actual[wrong])}`;
  const counts = `${actual.length} tenants for ${expected.length} declared`;
  throw new Error(`after ${step} the platform differs from the declarations: ${counts}${example}`);
}
