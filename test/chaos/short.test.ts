import { expect, test } from "vitest";
import { runRounds } from "./run-rounds.ts";

/**
 * Rounds with fewer tenants than in the long form, the same every time. Their builds are quick ones. Those of the kind `all` have
 * each other kind in at least two of their commands.
 */
const rounds = [
  { seed: 8152, provider: "dynamic" },
  { seed: 8153, provider: "native" },
  { seed: 8543, provider: "dynamic" },
  { seed: 8607, provider: "native" },
] as const;

/** What each kind of disturbance counts. */
const strikesOfEach = {
  answers: /^(html|cut-|status 5)/,
  operator: /^SIG(INT|TERM|KILL) to /,
  network: /^(restarted after|unresolvable name)/,
  key: /^key revoked$/,
  others: /^(archived|paused|rescheduled|reconfigured|disconnected)Ours$/,
  pipelines: /^refused by the lock$/,
  "another stack": /^another stack refused$/,
  "rate-limit": /^rate-limit$/,
};

test("both providers hold in rounds of broken answers, killed commands, and several kinds of faults at once", async () => {
  const reports = await runRounds({ rounds, tenants: 30, parallel: 2, onReport: () => {} });

  expect(reports.flatMap(({ kind, seed, violations }) => violations.map((text) => `${kind} ${seed}: ${text}`))).toEqual(
    [],
  );
  expect(reports.map(({ kind }) => kind)).toEqual(["answers", "operator", "all", "all"]);
  // a round that nothing has struck proves nothing
  const struck = reports.map(({ strikes }) => Object.entries(strikes).filter(([, count]) => count > 0));
  expect(struck.filter((strikes) => strikes.length === 0)).toEqual([]);
  const names = struck.flat().map(([name]) => name);
  const missing = Object.entries(strikesOfEach).filter(([, pattern]) => !names.some((name) => pattern.test(name)));
  expect(missing).toEqual([]);
  expect(reports.every(({ searchedFiles }) => searchedFiles > 0)).toBe(true);
  expect(reports.filter(({ rollout }) => rollout !== "done" && rollout !== "failed")).toEqual([]);
});
