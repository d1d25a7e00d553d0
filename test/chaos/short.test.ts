import { expect, it } from "vitest";
import { kinds } from "./disturbances/index.ts";
import type { RoundReport } from "./report.ts";
import { runRounds } from "./run-rounds.ts";

/** One round of each kind, with fewer tenants than in the long form; the same every time. Their builds are quick ones. */
const seeds = kinds.map((_, index) => 8152 + index);

it("holds in a round of each kind of disturbance", { timeout: 600_000 }, async () => {
  const reports: RoundReport[] = await runRounds({ seeds, tenants: 30, parallel: 2, onReport: () => {} });

  expect(reports.flatMap(({ kind, seed, violations }) => violations.map((text) => `${kind} ${seed}: ${text}`))).toEqual(
    [],
  );
  expect(reports.map(({ kind }) => kind).toSorted()).toEqual([...kinds].toSorted());
  // a round that nothing has struck proves nothing
  const struck = reports.map(({ kind, strikes }) => [kind, Object.values(strikes).some((count) => count > 0)]);
  expect(Object.fromEntries(struck)).toEqual(Object.fromEntries(kinds.map((kind) => [kind, true])));
  expect(reports.every(({ searchedFiles }) => searchedFiles > 0)).toBe(true);
});
