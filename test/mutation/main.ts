// `npm run test:mutation`; see `usage`.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { parse } from "yaml";
import { z } from "zod";
import { runMain } from "../command-line.ts";
import { type Group, groupNamed, groups } from "./groups.ts";
import { describeSurvivor, type Result, resultOf, scoreOf, table } from "./result.ts";

const usage = `Changes code in small ways, one at a time, and expects that a unit test fails each time.

  --only GROUP     one of ${groups.map(({ name }) => name).join(", ")}; default: all
  --report FILE    adds the results to this JSON file, in place of those of the same groups
  --help           this text

Changes that make no difference are in test/mutation/equivalent.yaml, each with the reason. Of the others, 90 % must be
noticed in each group, or the command fails. What it found before is kept in node_modules/.cache/stryker, and only what has
changed since is tried again.`;

const scoreMinimum = 90;

const equivalentSchema = z.array(
  z.strictObject({ file: z.string(), code: z.string(), replacement: z.string(), reason: z.string() }),
);

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { only: text, report: text, help: { type: "boolean" } } });
  if (values.help) return console.log(usage);
  const chosen = values.only === undefined ? groups : [groupNamed(values.only)];
  const equivalent = equivalentSchema.parse(
    parse(readFileSync(`${import.meta.dirname}/equivalent.yaml`, "utf8")) ?? [],
  );

  const results: Result[] = [];
  for (const group of chosen) {
    const result = resultOf(group.name, await mutantsOf(group), equivalent);
    results.push(result);
    for (const survivor of result.survivors) console.log(describeSurvivor(survivor));
    if (values.report !== undefined) addTo(values.report, result);
  }
  console.log(table(results));
  const low = results.filter((result) => scoreOf(result) < scoreMinimum);
  if (low.length > 0)
    throw new Error(`less than ${scoreMinimum} % noticed in: ${low.map(({ group }) => group).join(", ")}`);
}

/** Tries the mutants of a group. Stryker and its test runners read the group's name from the environment. */
async function mutantsOf({ name, mutate }: Group) {
  process.env.MUTATION_GROUP = name;
  const slug = name.replaceAll(" ", "-");
  const stryker = new Stryker({
    mutate: [...mutate],
    // strings are mostly parts of messages, which test/messages and the tests of each module compare, but not word by word
    mutator: { excludedMutations: ["StringLiteral"], plugins: null },
    // a mutant in code that runs only when its module is loaded would need all tests again: tables and schemas
    ignoreStatic: true,
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
    coverageAnalysis: "perTest",
    concurrency: 3 * availableParallelism(), // the tests wait more than they work
    timeoutMS: 60_000, // endless loops slow the others down
    dryRunTimeoutMinutes: 15,
    incremental: true,
    incrementalFile: `node_modules/.cache/stryker/${slug}.json`,
    tempDirName: "dist/stryker", // not under node_modules, where Node.js strips no types and Vite transforms nothing
    cleanTempDir: "always",
    ignorePatterns: [
      ...["/dist", "/.emulator", "/.pulumi-state", "/.github", "*.tgz"],
      ...["/bench", "/demo", "/docs", "/examples", "/schemas"],
    ],
    reporters: ["html", "progress-append-only"],
    htmlReporter: { fileName: `dist/mutation/${slug}.html` },
    thresholds: { high: 95, low: 90, break: null },
  });
  return stryker.runMutationTest();
}

function addTo(file: string, result: Result): void {
  const before = readResults(file).filter(({ group }) => group !== result.group);
  const order = groups.map(({ name }) => name);
  const all = [...before, result].toSorted((left, right) => order.indexOf(left.group) - order.indexOf(right.group));
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}

function readResults(file: string): Result[] {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return [];
  }
}

await runMain(main);
