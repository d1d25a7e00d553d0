import { expect, test } from "vitest";
import { providerNames } from "../engine/harness/provider-under-test.ts";
import { runRounds } from "./run-rounds.ts";

/** Rounds with fewer tenants than in the long form, the same every time. Their builds are quick ones. */
const seeds = [8152, 8153, 8157, 8159];

test.concurrent.each(providerNames)(
  "the %s provider holds in rounds of broken answers, killed commands, second pipelines, and several at once",
  async (provider) => {
    const rounds = seeds.map((seed) => ({ seed, provider }));
    const reports = await runRounds({ rounds, tenants: 30, parallel: 2, onReport: () => {} });

    expect(
      reports.flatMap(({ kind, seed, violations }) => violations.map((text) => `${kind} ${seed}: ${text}`)),
    ).toEqual([]);
    const kinds = ["answers", "operator", "pipelines", "all"];
    expect(reports.map(({ kind }) => kind)).toEqual(kinds);
    // a round that nothing has struck proves nothing
    const struck = reports.map(({ kind, strikes }) => [kind, Object.values(strikes).some((count) => count > 0)]);
    expect(Object.fromEntries(struck)).toEqual(Object.fromEntries(kinds.map((kind) => [kind, true])));
    expect(reports.every(({ searchedFiles }) => searchedFiles > 0)).toBe(true);
    expect(reports.filter(({ rollout }) => rollout !== "done" && rollout !== "failed")).toEqual([]);
  },
);
