import { notRestored, type PausedTenants, readPaused } from "./checks/restored.ts";
import { rolloutEnd } from "./checks/rollout-end.ts";
import type { Stage } from "./disturbances/disturbance.ts";
import { change } from "./model/change.ts";
import { declare } from "./model/declare.ts";
import { canary, type Declared, integrationId, nameOf } from "./model/declared.ts";
import { afterIncident, incident } from "./model/incident.ts";
import type { Random } from "./random.ts";
import { allLive, ownLive, type Scene } from "./scene.ts";
import type { StepOutcome } from "./step.ts";

/** What a round does with its stack. */
export interface Chapter {
  readonly name: string;
  readonly command: Stage["command"];
  /** How many requests its command makes undisturbed, about. */
  readonly usualRequests: number;
  /** Whether more `up`s carry the rollout to its end after the command. */
  readonly endsRollout: boolean;
  /** What comes before its command. */
  prepare(): Promise<void>;
  /** What must hold after its command, or its repair, has succeeded. */
  check?(outcome: StepOutcome): Promise<Findings>;
}

export interface Findings {
  readonly violations: readonly string[];
  /** The phase in which the rollout has ended. */
  readonly rollout?: string;
}

/**
 * The same story each time: create, change, pause tenants in an incident, restore them, destroy. A rollout begins with the
 * change and ends after the incident. What is declared is the same for the same random numbers.
 *
 * @param hasOthers whether somebody else may disconnect tenants, whose syncs then fail.
 */
export function storyOf(scene: Scene, random: Random, tenants: number, hasOthers: boolean): Chapter[] {
  const choices = { random, variants: scene.variants, checkpoints: scene.checkpoints };
  const declared = declare(choices, tenants);
  const changed = change(choices, declared);
  const inIncident = incident(random, changed);
  const canaryFails = random.chance(0.3) && scene.checkpoints === "each";
  let before: PausedTenants = new Map();
  let isIncidentKilled = false;

  const chapters: Chapter[] = [
    {
      name: "up",
      command: "up",
      usualRequests: 2 * tenants,
      endsRollout: true,
      prepare: () => scene.write(declared),
      check: async () => ({
        violations: (await rolloutEnd(scene, { rolling: declared.rolling, mayFail: false })).violations,
      }),
    },
    {
      name: "change",
      command: "up",
      usualRequests: tenants / 2,
      endsRollout: false,
      prepare: async () => {
        await connectSome(scene);
        if (canaryFails) await letCanaryFail(scene, changed);
        await scene.write(changed);
      },
    },
    {
      name: "incident",
      command: "up",
      usualRequests: tenants / 5,
      endsRollout: false,
      prepare: async () => {
        await resumeSome(scene, random, changed);
        before = await readPaused(scene.platform);
        await scene.write(inIncident);
      },
      check: async ({ isKilled }) => {
        isIncidentKilled = isKilled;
        return { violations: [] };
      },
    },
    {
      name: "recovery",
      command: "up",
      usualRequests: tenants / 5,
      endsRollout: true,
      prepare: () => scene.write(afterIncident(inIncident)),
      check: async () => {
        const mayStayPaused = (id: number) => isIncidentKilled || scene.pausedByOthers.has(id);
        const left = notRestored(before, await readPaused(scene.platform), mayStayPaused);
        const mayFail = canaryFails || hasOthers;
        const end = await rolloutEnd(scene, { rolling: changed.rolling, before: declared.rolling.tag, mayFail });
        return { violations: [...left.slice(0, 5), ...end.violations], rollout: end.phase };
      },
    },
    {
      name: "destroy",
      command: "destroy",
      usualRequests: tenants,
      endsRollout: false,
      prepare: async () => {},
    },
  ];
  return scene.checkpoints === "each" ? chapters : withoutRollout(chapters);
}

/** Create, change and destroy, for a stack that may have no rollouts and no overrides. */
function withoutRollout(chapters: readonly Chapter[]): Chapter[] {
  return chapters
    .filter(({ name }) => name !== "incident" && name !== "recovery")
    .map(({ check: _, ...chapter }) => ({ ...chapter, endsRollout: false }));
}

/** Some customers connect their new tenants: the syncs of these are due then, and rollouts can prove them. */
async function connectSome({ platform }: Scene): Promise<void> {
  const live = await allLive(platform);
  for (const names of [/^own-[sf]\d*[27]$/, /^own-r\d*[02468]$/]) {
    const ours = live.filter(({ name }) => names.test(name));
    for (const { id } of ours.slice(0, 12)) {
      const { paused, integration_id } = Object(await platform.call("GET", `/_emulator/tenants/${id}`));
      if (paused === true || integration_id !== integrationId) continue;
      for (const connector of ["crm", "billing"]) {
        await platform.call("POST", `/_emulator/tenants/${id}/connectors/${connector}`, { status: "connected" });
      }
    }
  }
}

/** The runs of the first tenant that the rollout moves fail on the new release. */
async function letCanaryFail({ platform }: Scene, { rolling }: Declared): Promise<void> {
  const releases = [{ tag: rolling.tag, tenants: [canary], outcome: "fail" }];
  await platform.call("PATCH", `/_emulator/integrations/${integrationId}`, { runs: { takes_seconds: 0, releases } });
}

/** Some customers resume tenants that nobody declares as paused or running. */
async function resumeSome({ platform }: Scene, random: Random, { tenants, fleet }: Declared): Promise<void> {
  const undeclared = Object.entries({ ...tenants, ...fleet }).filter(([, { paused }]) => paused === undefined);
  const names = new Set(undeclared.map(([key, entry]) => nameOf(key, entry)));
  const found = (await ownLive(platform)).filter(({ name }) => names.has(name));
  for (const { id } of random.sample(found, 20)) {
    await platform.call("PATCH", `/_emulator/tenants/${id}`, { paused: false });
  }
}
