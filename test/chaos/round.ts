import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProviderName } from "../engine/harness/provider-under-test.ts";
import type { CheckpointMode } from "./checkpoint-mode.ts";
import { hasRolloutFailed } from "./checks/rollout-end.ts";
import { namesIn } from "./checks/secrets.ts";
import { sumOf } from "./disturbances/disturbance.ts";
import { disturbanceNamed } from "./disturbances/index.ts";
import { ownPrefix } from "./model/declared.ts";
import { createRandom } from "./random.ts";
import type { RoundReport } from "./report.ts";
import { allLive, type Scene, setScene } from "./scene.ts";
import { playStep, type StepOutcome } from "./step.ts";
import { type Findings, storyOf } from "./story.ts";

export interface RoundPlan {
  readonly seed: number;
  readonly provider: ProviderName;
  readonly kind: string;
  readonly tenants: number;
  readonly checkpoints: CheckpointMode;
  /** A new folder for this round. */
  readonly folder: string;
}

/** Plays the story. Each command is disturbed, repaired and checked. */
export async function playRound(plan: RoundPlan): Promise<RoundReport> {
  const { seed, provider, kind, tenants, checkpoints, folder } = plan;
  const startedAt = Date.now();
  const faultlessRequests = comparedKinds.has(kind) ? await countFaultless(plan) : undefined;
  const random = createRandom(seed);
  await using scene = await setScene({ folder, provider, checkpoints, name: "disturbed", random: random.fork() });
  const chapters = storyOf(scene, random.fork(), tenants, kindsWithOthers.has(kind));
  const others = await scene.others();
  const outcomes: StepOutcome[] = [];
  const findings: Findings[] = [];
  for (const chapter of chapters) {
    await chapter.prepare();
    const outcome = await playStep(scene, random.fork(), { ...chapter, disturb: disturbanceNamed(kind) });
    outcomes.push(outcome);
    if (chapter.check !== undefined && outcome.isDone) findings.push(await chapter.check(outcome));
  }
  const left = await leftAtTheEnd(scene, others);
  const found = await scene.findSecrets();
  await writeFile(join(folder, "printed.txt"), scene.printed());
  const printed = namesIn(scene.printed(), scene.secrets).map((name) => `${name} was printed`);
  const requests = outcomes.reduce((sum, outcome) => sum + outcome.requests, 0);
  const repairs = outcomes.reduce((sum, outcome) => sum + outcome.repairs, 0);
  // each command, the repairs included, may send twice as many as an average one without faults
  const maximum = faultlessRequests && (2 * faultlessRequests * (outcomes.length + repairs)) / outcomes.length;
  return {
    seed,
    provider,
    kind,
    tenants,
    variants: { ...scene.variants },
    strikes: sumOf(outcomes.map(({ strikes }) => strikes)),
    steps: outcomes.map(({ name, code, repairs }) => ({ name, code, repairs })),
    rollout: findings.find(({ rollout }) => rollout !== undefined)?.rollout ?? "not reached",
    requests,
    faultlessRequests,
    explained: outcomes.reduce((sum, { explained }) => sum + explained, 0),
    searchedFiles: scene.searchedFiles(),
    webhooks: scene.webhooksReceived(),
    violations: [
      ...[...outcomes, ...findings].flatMap(({ violations }) => violations),
      ...[...left, ...found, ...printed],
      ...(maximum !== undefined && requests > maximum
        ? [
            `${requests} requests with ${repairs} repairs, more than twice the ${faultlessRequests} without faults for each command`,
          ]
        : []),
    ],
    seconds: (Date.now() - startedAt) / 1000,
  };
}

/** Kinds in which somebody else changes our tenants. */
const kindsWithOthers = new Set(["others", "all"]);

/** Kinds with one command at a time, and none killed: their requests are compared with those of the same round without faults. */
const comparedKinds = new Set(["answers", "network", "key", "others", "rate-limit"]);

/** The requests of the story's commands without faults. */
async function countFaultless({ seed, provider, kind, tenants, checkpoints, folder }: RoundPlan): Promise<number> {
  const random = createRandom(seed);
  await using scene = await setScene({ folder, provider, checkpoints, name: "faultless", random: random.fork() });
  const chapters = storyOf(scene, random.fork(), tenants, kindsWithOthers.has(kind));
  let count = 0;
  for (const { prepare, command } of chapters) {
    await prepare();
    await scene.platform.clearRequests();
    const args = [command, "--yes", "--skip-preview"];
    let end = await scene.run(args);
    if (hasRolloutFailed(end.printed)) end = await scene.run(args); // as in the repair
    if (end.code !== 0) throw new Error(`without any fault, ${command} ended with ${end.code}: ${end.printed}`);
    count += (await scene.platform.requests()).length;
  }
  return count;
}

async function leftAtTheEnd(scene: Scene, others: ReadonlySet<number>): Promise<string[]> {
  await sleep(500); // changes that become visible late would shift the pages during the read
  const live = await allLive(scene.platform);
  const ours = live.filter(({ name }) => name.startsWith(ownPrefix)).map(({ name }) => name);
  const isLive = (id: number) => live.some((tenant) => tenant.id === id);
  const lost = [...others].filter((id) => !scene.archivedByOthers.has(id) && !isLive(id));
  return [
    ...(ours.length === 0 ? [] : [`${ours.length} of ours are live after destroy: ${ours.slice(0, 5).join(", ")}`]),
    ...(lost.length === 0 ? [] : [`${lost.length} tenants of others are gone: ${lost.slice(0, 5).join(", ")}`]),
  ];
}
