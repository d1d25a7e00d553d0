import type { Reporter, TestModule, TestSpecification, Vitest } from "vitest/node";

/**
 * Says at the start of a run what it runs, each minute how far it is, where no terminal shows that, and at the end where its
 * time went, by tier and for the slowest files; which tests were skipped; and which tiers it did not run, and why.
 */
export class TierTimes implements Reporter {
  #tiers: readonly string[] = [];
  #done = 0;
  #timer: NodeJS.Timeout | undefined;

  onInit({ config: { projects = [] } }: Vitest): void {
    this.#tiers = projects.flatMap((project) => nameOf(project) ?? []);
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    if (files.length < filesMinimum) return;
    const byTier = Map.groupBy(files, ({ project }) => project.name);
    const tiers = [...byTier].map(([tier, own]) => `${tier} ${own.length}`);
    console.log(`${files.length} files by tier: ${tiers.join(", ")}`);
    if (process.stdout.isTTY) return; // vitest shows on a terminal how far it is
    const startedAt = performance.now();
    this.#timer = setInterval(() => {
      const minutes = Math.round((performance.now() - startedAt) / 60_000);
      console.log(`After ${minutes} min: ${this.#done} of ${files.length} files.`);
    }, 60_000);
    this.#timer.unref();
  }

  onTestModuleEnd(): void {
    this.#done += 1;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    clearInterval(this.#timer);
    const files = modules.map((module) => ({
      tier: module.project.name,
      name: module.relativeModuleId,
      seconds: secondsOf(module),
    }));
    if (files.length < filesMinimum) return;
    const byTier = Map.groupBy(files, ({ tier }) => tier);
    const tiers = [...byTier].map(([tier, own]) => `${tier} ${sum(own)} s (${own.length} files)`);
    const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10);
    console.log(`\nTime of the files by tier: ${tiers.join(", ")}`);
    console.log(
      `Slowest: ${slowest.map(({ tier, name, seconds }) => `${name} (${tier}) ${Math.round(seconds)} s`).join(", ")}`,
    );
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    for (const { fullName, module } of skipped) {
      console.log(`Skipped: ${module.relativeModuleId}: ${fullName}. Its file says why.`);
    }
    console.log(remark(this.#tiers.filter((tier) => !byTier.has(tier))));
  }
}

/** A run of fewer files is of somebody who chose them. */
const filesMinimum = 20;

/** Why `npm test` does not run a tier. */
const reasons = new Map([
  ["exhaustive", "like `unit`, with random sequences and every variant"],
  ["in-process", "only changes of the resources need it"],
  ["in-process-native", "only changes of the resources need it"],
  ["engine-more", "7 minutes, and like what has run"],
  ["engine-native-more", "like what has run"],
  ["releases", "7 minutes; what only a release, another language or a backend can break"],
  ["outside", "needs a browser and Python 3"],
  ["aws", "needs Python 3, a C++ compiler, make and cmake"],
  ["chaos", "keeps both cores busy for minutes"],
]);

/** What to say of the tiers that this run had not. `npm run test:all` has two runs, of which `npm test` is the first. */
function remark(tiers: readonly string[]): string {
  if (tiers.length === 0) return "All tiers were run.";
  if (process.env.npm_lifecycle_event === "test:all") return `Run before, by \`npm test\`: ${tiers.join(", ")}.`;
  const lines = tiers.map((tier) => `  ${[tier, reasons.get(tier) ?? "not chosen"].join(": ")}`);
  return ["Not run; `npm run test:all` runs all:", ...lines].join("\n");
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
