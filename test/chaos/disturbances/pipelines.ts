import { setTimeout as sleep } from "node:timers/promises";
import { stringify } from "yaml";
import { createProject } from "../../engine/harness/create-project.ts";
import { type SeenRequest, shortcomingsOf } from "../checks/errors.ts";
import { integrationId, integrationName } from "../model/declared.ts";
import { ownLive } from "../scene.ts";
import type { Disturb, Stage } from "./disturbance.ts";

/**
 * A second pipeline runs the same command on the same stack, and the backend lets one of them work. Then another stack
 * declares one of the tenants otherwise, and must neither change it nor make a second.
 */
export const pipelines: Disturb = async (stage) => {
  const after = stage.random.pick([0, 100, 1500, 4000]);
  const strikes: Record<string, number> = {};
  const violations: string[] = [];
  let second: { printed: string; requests: readonly SeenRequest[] } | undefined;
  return {
    kills: false,
    during: async (first) => {
      await sleep(after);
      const { code, printed } = await stage.start([stage.command, "--yes", "--skip-preview"]).ended;
      const isLocked = /currently locked/.test(printed);
      strikes[isLocked ? "refused by the lock" : `second ended with ${code}`] = 1;
      if (code !== 0 && code !== null) second = { printed, requests: await stage.platform.requests() };
      await first.ended;
      if (stage.command === "up") strikes[await declareInAnotherStack(stage, violations)] = 1;
    },
    violations: (_, { kills, isAway }) =>
      kills || second === undefined
        ? violations // something else may have cut the second command short
        : [...violations, ...shortcomingsOf(second.printed, second.requests, isAway)],
    end: async () => strikes,
  };
};

/** @returns what came of it. */
async function declareInAnotherStack(stage: Stage, violations: string[]): Promise<string> {
  const { platform, random, secrets } = stage;
  // a tenant whose schedule is hidden may be one that a killed `up` of the other stack left behind: it may be taken over
  const ours = (await ownLive(platform, integrationId)).filter(({ showsSchedule }) => showsSchedule);
  if (ours.length === 0) return "nothing for another stack to declare";
  const { id, name } = random.pick(ours);
  const tenant = { integration: integrationName, name, schedule: "2 2 2 2 *" };
  await using another = await createProject({
    provider: stage.provider,
    stackYaml: stringify({ config: { "integration-platform:tenants": { [name]: tenant } } }),
    env: {
      INTEGRATION_PLATFORM_BASE_URL: platform.url,
      INTEGRATION_PLATFORM_API_KEY: secrets.get("API key"),
    },
  });
  const { code, stdout, stderr } = await another.up();
  const printed = `${stdout}\n${stderr}`;
  violations.push(...(await stage.findSecrets()));
  if (code !== 0) violations.push(...shortcomingsOf(printed, await platform.requests()));
  if (/is already live in/.test(printed)) return "another stack refused";
  if (code !== 0) return "another stack failed for another reason";
  const isThere = (await ownLive(platform, integrationId)).some((live) => live.id === id);
  if (isThere) violations.push(`another stack was not refused "${name}": ${printed.slice(-1200)}`);
  return "another stack not refused";
}
