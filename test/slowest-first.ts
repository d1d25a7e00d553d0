import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files whose tests wait for minutes, or make what a new machine lacks: the last to start would run alone at the end. */
const slowest = ["engine/demo", "aws/rest-api", "engine/other-languages", "engine/release", "aws/demo"];

/** Vitest's order, but with the slowest files first. Vitest knows only how long they took on this machine. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [first, others] = [true, false].map((isWanted) => files.filter((file) => isSlow(file) === isWanted));
    return [...(first ?? []), ...(await super.sort(others ?? []))];
  }
}

function isSlow({ moduleId }: TestSpecification): boolean {
  return slowest.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
}
