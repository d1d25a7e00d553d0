import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/emulator/clock.ts";
import { createJobRunner } from "../../src/emulator/job-runner.ts";
import type { Platform } from "../../src/emulator/platform.ts";
import type { Job } from "../../src/emulator/store/jobs.ts";
import { openStore } from "../../src/emulator/store/store.ts";
import { defaultVariants } from "../../src/emulator/variants.ts";

function openPlatform(): Platform {
  const [store, agent] = [openStore(), new Agent()];
  onTestFinished(async () => {
    await agent.destroy();
    store.close();
  });
  const variants = defaultVariants;
  return { store, clock: systemClock, agent, variants, lagSeconds: 0, url: "" };
}

const soon = (): Job => ({ kind: "build", subject: 1, dueAt: Date.now() + 20, detail: null });

test("runs a job when it is due", async () => {
  const platform = openPlatform();
  const runner = createJobRunner(platform, () => {});
  onTestFinished(() => runner.stop());
  platform.store.jobs.write(soon());
  runner.runDueJobs();
  await expect.poll(() => platform.store.jobs.nextDueAt()).toBeUndefined();
});

test("sets no timer for a request that is served after stop()", async () => {
  const platform = openPlatform();
  let timers = 0;
  const runner = createJobRunner(platform, () => {
    timers += 1;
  });
  runner.stop();
  platform.store.jobs.write(soon());
  runner.runDueJobs();
  await sleep(200);
  expect(platform.store.jobs.nextDueAt()).toBeDefined();
  expect(timers).toBe(0);
});
