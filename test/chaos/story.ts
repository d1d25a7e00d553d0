import type { Disturb, Stage } from "./disturbances/disturbance.ts";
import { change } from "./model/change.ts";
import { declare } from "./model/declare.ts";
import { integrationId } from "./model/declared.ts";
import type { Random } from "./random.ts";
import { allLive, type Scene } from "./scene.ts";

/** What a round does with its stack. */
export interface Chapter {
  readonly name: string;
  readonly command: Stage["command"];
  /** How many requests its command makes undisturbed, about. */
  readonly usualRequests: number;
  /** What comes before its command. */
  prepare(): Promise<void>;
}

/** The same story each time: bring up, change, destroy. What is declared comes out the same for the same chance. */
export function storyOf(scene: Scene, random: Random, tenants: number): Chapter[] {
  const choices = { random, variants: scene.variants };
  const declared = declare(choices, tenants);
  const changed = change(choices, declared);
  const whenChanged = async () => {
    await connectSome(scene);
    await scene.write(changed);
  };
  return [
    { name: "up", command: "up", usualRequests: 2 * tenants, prepare: () => scene.write(declared) },
    { name: "change", command: "up", usualRequests: tenants / 2, prepare: whenChanged },
    { name: "destroy", command: "destroy", usualRequests: tenants, prepare: async () => {} },
  ];
}

/** Leaves everything as it is. */
export const undisturbed: Disturb = async () => ({ kills: false, end: async () => ({}) });

/** Some customers connect what was brought up for them: their syncs are due then. */
async function connectSome({ platform }: Scene): Promise<void> {
  const ours = (await allLive(platform)).filter(({ name }) => /^own-[sf]\d*[27]$/.test(name));
  for (const { id } of ours.slice(0, 12)) {
    const { paused, integration_id } = Object(await platform.call("GET", `/_emulator/tenants/${id}`));
    if (paused === true || integration_id !== integrationId) continue;
    for (const connector of ["crm", "billing"]) {
      await platform.call("POST", `/_emulator/tenants/${id}/connectors/${connector}`, { status: "connected" });
    }
  }
}
