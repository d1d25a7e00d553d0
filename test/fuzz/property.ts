import fc from "fast-check";
import { watchForHangs } from "./watch-for-hangs.ts";

/** Something that must hold of any input. */
export interface FuzzProperty {
  readonly name: string;
  /** Cases of the short form, which is a part of `npm test`. */
  readonly shortCases: number;
  /** Tries it. Rejects with the seed and the smallest input that it does not hold of. */
  check(bounds: Bounds): Promise<Report>;
}

export interface Bounds {
  readonly cases: number;
  readonly seed: number;
}

export interface Report {
  readonly cases: number;
  /** CPU time of the slowest case. */
  readonly slowestMilliseconds: number;
}

/** What is tried, set up once for all cases. */
export interface Subject<Input> extends AsyncDisposable {
  readonly inputs: fc.Arbitrary<Input>;
  /** Rejects where the property does not hold. */
  readonly check: (input: Input) => Promise<void>;
}

/** Of CPU time, since the machine may be busy with something else. */
const limitMilliseconds = 1000;

/** A case that does nothing for so long waits for something that will not come. */
const patienceMilliseconds = 20_000;

export function fuzzProperty<Input>(
  name: string,
  shortCases: number,
  prepare: () => Promise<Subject<Input>>,
): FuzzProperty {
  return {
    name,
    shortCases,
    check: async ({ cases, seed }) => {
      await using subject = await prepare();
      using watch = watchForHangs(`${name}, seed ${seed}`);
      const report = { cases: 0, slowestMilliseconds: 0 };
      const property = fc.asyncProperty(subject.inputs, async (input) => {
        watch.next();
        const before = process.cpuUsage();
        await endOf(subject.check(input));
        const { user, system } = process.cpuUsage(before);
        const milliseconds = Math.round((user + system) / 1000);
        if (milliseconds > limitMilliseconds) throw new Error(`took ${milliseconds} ms of CPU time`);
        report.cases += 1;
        report.slowestMilliseconds = Math.max(report.slowestMilliseconds, milliseconds);
      });
      await fc.assert(property, { seed, numRuns: cases });
      return report;
    },
  };
}

async function endOf(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const lost = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("does not end")), patienceMilliseconds);
  });
  try {
    await Promise.race([work, lost]);
  } finally {
    clearTimeout(timer);
  }
}
