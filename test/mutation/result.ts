import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Stryker } from "@stryker-mutator/core";

type MutantResult = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

/** A change that makes no difference, and why. */
export interface Equivalent {
  readonly file: string;
  /** The code that is changed. */
  readonly code: string;
  /** What stands there instead. */
  readonly replacement: string;
  readonly reason: string;
}

/** A change that no test notices. */
export interface Survivor {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly replacement: string;
}

/** What came of the changes in a group. */
export interface Result {
  readonly group: string;
  /** Changes that failed a test. */
  readonly killed: number;
  /** Changes with which the tests did not end. */
  readonly timedOut: number;
  /** Changes that make no difference. */
  readonly equivalent: number;
  readonly survivors: readonly Survivor[];
}

/** Counts the mutants of a group. Those that do not compile, or that run only when a module is loaded, do not count. */
export function resultOf(group: string, mutants: readonly MutantResult[], equivalents: readonly Equivalent[]): Result {
  const count = (status: MutantResult["status"]) => mutants.filter((mutant) => mutant.status === status).length;
  const alive = mutants.filter(({ status }) => status === "Survived" || status === "NoCoverage").map(survivorOf);
  const isEquivalent = ({ file, code, replacement }: Survivor) =>
    equivalents.some((one) => one.file === file && one.code === code && one.replacement === replacement);
  return {
    group,
    killed: count("Killed"),
    timedOut: count("Timeout"),
    equivalent: alive.filter(isEquivalent).length,
    survivors: alive.filter((survivor) => !isEquivalent(survivor)),
  };
}

function survivorOf({ fileName, location: { start, end }, replacement }: MutantResult): Survivor {
  const lines = readFileSync(fileName, "utf8")
    .split("\n")
    .slice(start.line - 1, end.line);
  const last = lines.length - 1;
  const code = lines
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .map((line) => line.trim())
    .join(" ");
  const file = relative(process.cwd(), fileName);
  return { file, line: start.line, code, replacement: replacement.replace(/\s+/g, " ") };
}

/** The share of the changes that were noticed, in percent, of those that make a difference. */
export function scoreOf({ killed, timedOut, survivors }: Pick<Result, "killed" | "timedOut" | "survivors">): number {
  const all = killed + timedOut + survivors.length;
  return all === 0 ? 100 : (100 * (killed + timedOut)) / all;
}

export function describeSurvivor({ file, line, code, replacement }: Survivor): string {
  return `${file}:${line}: not noticed\n  - ${code}\n  + ${replacement}`;
}

/** The results as a table in Markdown. */
export function table(results: readonly Result[]): string {
  const rows = results.map((result) => {
    const { group, killed, timedOut, survivors, equivalent } = result;
    return `| ${group} | ${killed} | ${timedOut} | ${survivors.length} | ${equivalent} | ${scoreOf(result).toFixed(1)} % |`;
  });
  return [
    "| Group | Failed a test | Did not end | Not noticed | No difference | Score |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}
