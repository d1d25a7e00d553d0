import { setTimeout as sleep } from "node:timers/promises";
import { unexplainedBy, type Written } from "../checks/explained.ts";
import { integrationId, ownPrefix } from "../model/declared.ts";
import type { PlatformProcess } from "../platform-process.ts";
import type { Random } from "../random.ts";
import { allLive, ownLive } from "../scene.ts";
import { archive } from "./archive.ts";
import type { Disturb, Stage } from "./disturbance.ts";

/** Somebody else works on the platform while the command does, on our tenants and on others. */
export const others: Disturb = async (stage) => {
  const { platform, random, usualRequests } = stage;
  const requestsPerTurn = usualRequests / turnsMaximum;
  const strikes: Record<string, number> = {};
  const written: Written[] = [];
  return {
    kills: false,
    during: async (command) => {
      let turns = 0;
      while (turns < turnsMaximum && !command.isOver()) {
        await sleep(20 + random.below(100));
        // in step with the command, so that it is the same on a busy machine
        if ((await platform.countRequests()) < turns * requestsPerTurn + 1) continue;
        turns += 1;
        const work = random.pick(works);
        const tenant = await work(stage).catch(() => undefined);
        if (tenant !== undefined) {
          strikes[work.name] = (strikes[work.name] ?? 0) + 1;
          written.push({ ...tenant, at: Date.now() });
        }
      }
    },
    explain: async (found) => ({ unexplained: await unexplainedBy(platform, written, found) }),
    end: async () => strikes,
  };
};

const turnsMaximum = 50;

/** Each does one thing, and tells the tenant; nothing where there was none to do it to. */
type Work = (
  stage: Pick<Stage, "platform" | "random" | "variants" | "archivedByOthers" | "pausedByOthers">,
) => Promise<{ id: number; name: string } | undefined>;

const works: readonly Work[] = [
  async function archivedOurs({ platform, random, archivedByOthers }) {
    return onOurs(platform, random, (id) => archive(platform, id, archivedByOthers));
  },
  async function pausedOurs({ platform, random, pausedByOthers }) {
    return onOurs(platform, random, (id) => {
      pausedByOthers.add(id);
      return platform.call("PATCH", `/v2/tenants/${id}`, { paused: true });
    });
  },
  async function rescheduledOurs({ platform, random }) {
    return onOurs(platform, random, (id) =>
      platform.call("PATCH", `/v2/tenants/${id}`, { user_schedule: "1 1 1 1 *" }),
    );
  },
  async function reconfiguredOurs({ platform, random, variants }) {
    return onOurs(platform, random, async (id) => {
      const { configs } = Object(await platform.call("GET", `/_emulator/tenants/${id}`));
      // where reads hide secrets, the last written one counts: docs/decisions/no-secret-leaves.md
      const kept = variants.maskedConfigs === "no" ? {} : { api_token: Object(configs).api_token };
      await platform.call("PATCH", `/_emulator/tenants/${id}`, { configs: { ...kept, region: "au", batch_size: 1 } });
    });
  },
  async function disconnectedOurs({ platform, random }) {
    return onOurs(platform, random, (id) => platform.call("PATCH", `/v2/tenants/${id}/connectors/crm/disconnect`));
  },
  // these two make pages shift
  async function archivedAnother({ platform, random, archivedByOthers }) {
    const other = random.pick((await allLive(platform)).filter(({ name }) => !name.startsWith(ownPrefix)));
    await archive(platform, other.id, archivedByOthers);
    return other;
  },
  async function madeAnother({ platform, random }) {
    const name = `other-late-${random.below(1e9)}`;
    const made = await platform.call("POST", "/v2/tenants", { name, integration_id: integrationId });
    return { id: Number(Object([made].flat()[0]).id), name };
  },
];

async function onOurs(platform: PlatformProcess, random: Random, write: (id: number) => Promise<unknown>) {
  // those of another integration have another schema
  const ours = await ownLive(platform, integrationId);
  if (ours.length === 0) return undefined;
  const tenant = random.pick(ours);
  await write(tenant.id);
  return tenant;
}
