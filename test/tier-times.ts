import type { Reporter, TestModule, Vitest } from "vitest/node";

/** Prints at the end of a run where its time went: by tier, and the slowest files; and which tiers it did not run. */
export class TierTimes implements Reporter {
  #tiers: readonly string[] = [];

  onInit({ config: { projects = [] } }: Vitest): void {
    this.#tiers = projects.flatMap((project) => nameOf(project) ?? []);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({
      tier: module.project.name,
      name: module.relativeModuleId,
      seconds: secondsOf(module),
    }));
    if (files.length < filesMinimum) return;
    const byTier = Map.groupBy(files, ({ tier }) => tier);
    const tiers = [...byTier].map(([tier, own]) => `${tier} ${sum(own)} s (${own.length} files)`);
    const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10);
    const notRun = this.#tiers.filter((tier) => !byTier.has(tier));
    console.log(`\nTime of the files by tier, with two at once: ${tiers.join(", ")}`);
    console.log(
      `Slowest: ${slowest.map(({ tier, name, seconds }) => `${name} (${tier}) ${Math.round(seconds)} s`).join(", ")}`,
    );
    console.log(notRun.length === 0 ? "All tiers were run." : remark(notRun.join(", ")));
  }
}

/** A run of fewer files is of somebody who chose them. */
const filesMinimum = 20;

/** What to say of the tiers that this run had not. `npm run test:all` has two runs, of which `npm test` is the first. */
function remark(tiers: string): string {
  if (process.env.npm_lifecycle_event === "test:all") return `Run before, by \`npm test\`: ${tiers}.`;
  return `Not run: ${tiers}. \`npm run test:all\` runs all.`;
}

function secondsOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration, prepareDuration, environmentSetupDuration } = module.diagnostic();
  return (duration + collectDuration + setupDuration + prepareDuration + environmentSetupDuration) / 1000;
}

function sum(files: readonly { seconds: number }[]): number {
  return Math.round(files.reduce((all, { seconds }) => all + seconds, 0));
}

/** The name of a project in the config. */
function nameOf(project: unknown): string | undefined {
  const { test: { name } = {} } = Object(project);
  return typeof name === "string" ? name : undefined;
}
