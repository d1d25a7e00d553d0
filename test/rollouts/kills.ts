import { ViolationError } from "../stories/find-failure.ts";
import { openStrategy } from "./declared.ts";
import type { Kill } from "./gate.ts";
import { storedOf, tenantsOf } from "./judge/exported.ts";
import { Player } from "./play.ts";
import { readAll } from "./raw-tenant.ts";
import { openScene, type Scene } from "./scene.ts";
import type { Edit, Ending, Story } from "./story.ts";

/** What a team changes, and how the runs of `v2` end from then on. The next change comes when a rollout rests. */
interface Stage {
  readonly edits: readonly Edit[];
  readonly ending?: Ending;
}

const strategy = {
  ...openStrategy,
  waves: [{ name: "canary", tenants: ["k0"] }, { percent: 50 }, { percent: 100 }],
  minTenants: 1,
  maxUnavailable: 2,
};
const fleet: Story["fleets"][number] = { tenants: 6, pinned: [5], excluded: [4], unconnected: [3], strategy };

/** Rollouts without anything random: what is killed in them ends as if nothing had been. */
const courses: Readonly<Record<string, readonly Stage[]>> = {
  "a good release": [{ edits: [{ kind: "target", tag: "v2" }] }],
  "a failing canary, and the way back": [
    { edits: [{ kind: "target", tag: "v2" }], ending: "failure" },
    { edits: [{ kind: "way back" }] },
  ],
  "a failing canary that is taken back by itself": [
    {
      edits: [
        { kind: "strategy", change: { onFailure: "rollback" } },
        { kind: "target", tag: "v2" },
      ],
      ending: "failure",
    },
  ],
  "a failing canary, and another release": [
    { edits: [{ kind: "target", tag: "v2" }], ending: "failure" },
    { edits: [{ kind: "target", tag: "v3" }] },
  ],
  "a tenant that comes": [
    {
      edits: [
        { kind: "target", tag: "v2" },
        { kind: "add", pick: 8 },
      ],
    },
  ],
};

/** How a course ended, and the requests of each of its `up`s. */
interface Ended {
  readonly text: string;
  readonly requests: readonly number[];
}

/**
 * Kills each `up` of each course at its requests, and compares the end with that of the course without a kill.
 *
 * @param every Of how many kills one is tried.
 */
export async function checkKills({ every, first = 0 }: { every: number; first?: number }): Promise<string[]> {
  const findings: string[] = [];
  let count = first;
  for (const [name, stages] of Object.entries(courses)) {
    const expected = await play(stages, undefined);
    for (const [up, requests] of expected.requests.entries()) {
      for (let at = 0; at < requests; at += 1) {
        count += 1;
        if (count % every > 0) continue;
        const kill = { at, isApplied: Math.floor(count / every) % 2 === 0 };
        const told = `${name}, up ${up + 1} killed ${kill.isApplied ? "after" : "before"} request ${at} of ${requests}`;
        const found = await play(stages, { up, kill }).catch((error: unknown) => {
          if (error instanceof ViolationError) return { text: error.message };
          throw error;
        });
        if (found.text !== expected.text) findings.push(`${told}:\n${found.text}\nwithout the kill:\n${expected.text}`);
      }
    }
  }
  return findings;
}

const upsMaximum = 12;

async function play(stages: readonly Stage[], killed: { up: number; kill: Kill } | undefined): Promise<Ended> {
  await using scene = await openScene();
  const player = new Player(scene, []);
  await player.setUp({ fleets: [fleet], steps: [] });
  const requests: number[] = [];
  for (const { edits, ending } of stages) {
    player.edit(edits);
    if (ending !== undefined) player.endRuns("v2", ending);
    let rest = "";
    for (let count = 0; count < upsMaximum; count += 1) {
      const played = await player.up(requests.length === killed?.up ? killed.kill : undefined);
      requests.push(played.requests);
      if (played.isKilled) continue;
      const before = rest;
      rest = JSON.stringify(storedOf(scene.stack.state, "f1").rollout?.status);
      if (before === rest && isAtRest(scene)) break;
    }
  }
  return { text: await endOf(scene), requests };
}

function isAtRest({ stack }: Scene): boolean {
  const { rollout, plan } = storedOf(stack.state, "f1");
  return rollout?.planNumber === plan?.number && (rollout?.phase === "done" || rollout?.phase === "failed");
}

/** What all tenants run, and the waves they were in. */
async function endOf(scene: Scene): Promise<string> {
  const { rollout, plan } = storedOf(scene.stack.state, "f1");
  const tenants = [...(await readAll(scene)).values()].map(
    ({ name, runs, isArchived }) => `${name}: ${runs}${isArchived ? ", archived" : ""}`,
  );
  const waves =
    rollout?.startedWaves.map((wave) => `${wave.name}: ${tenantsOf(wave).sort().join(" ")}, ${wave.outcome}`) ?? [];
  const members = plan?.members.map(({ key, id }) => `${key}=${id}`).join(" ");
  return [`${rollout?.phase}, ${rollout?.direction}, plan ${plan?.number}: ${members}`, ...waves, ...tenants].join(
    "\n",
  );
}
