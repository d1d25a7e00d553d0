import { describe, expect, test } from "vitest";
import { summaryOf, summaryOfRun } from "../../bench/summary.ts";
import { course } from "./course.ts";

describe("the summary", () => {
  const text = summaryOf([course("fleet", [3, 1, 2]), course("terraform", [8, 8, 8])]);

  test("tells the median with the least and the most, and no spread where there is none", () => {
    expect(text).toMatch(/^fleet +2\.0 \(1\.0-3\.0\)/m);
    expect(text).toMatch(/^terraform +8\.0 +8\.0/m);
  });
  test("tells ratios to those who took part only: the median of the rounds, with the least and the most", () => {
    expect(text).toMatch(/wall time, ratio to terraform.*\nfleet +0\.25 \(0\.13-0\.38\)/);
    expect(text).not.toContain("ratio to plain");
  });
  test("tells the provider's part of the CPU time if all runs have recorded it", () => {
    expect(text).toMatch(/^provider, CPU time.*\nfleet +0\.5/m);
    const [before] = [course("tenants", [3])].map((complete) => ({
      ...complete,
      rounds: complete.rounds.map((round) => round.map(({ cpuSecondsByRole: _, ...measurement }) => measurement)),
    }));
    if (before === undefined) throw new Error("no course");
    expect(summaryOf([course("fleet", [3]), before])).not.toContain("provider, CPU time");
  });
  test("tells bytes of state a tenant", () => {
    expect(text).toMatch(/^fleet +100 +10 +no$/m);
  });
  test("has a column for each shared backend, as ratios to the same contender on a file", () => {
    const onBackends = summaryOf([
      course("tenants", [2]),
      course("tenants", [6, 5, 7], { backend: "s3" }),
      course("fleet", [4]),
      course("fleet", [5], { backend: "postgres" }),
    ]);
    expect(onBackends).toMatch(/ratio to file +tenants on s3 +fleet on postgres\ncreate +3\.00 +1\.25\nno-op up/);
    expect(onBackends).toMatch(/^tenants on s3 +6\.0 \(5\.0-7\.0\)/m);
    expect(onBackends).toMatch(/ratio to tenants[^\n]*\nfleet +2\.00[^\n]*\n\n/);
    expect(text).not.toContain("ratio to file");
  });
});

describe("the summary of a run", () => {
  const text = summaryOfRun([
    course("native", [9, 11, 10], { size: 1_000 }),
    course("terraform", [10, 10, 10], { size: 1_000 }),
    course("native-fleet", [2], { size: 1_000 }),
    course("native-fleet", [25], { size: 10_000 }),
    course("native-fleet", [1], { size: 10_000, engineLog: "off" }),
    course("native-fleet", [99], { size: 10_000, latencyMilliseconds: 50 }),
  ]);

  test("tells by how much the provider's CPU time grows at each step", () => {
    expect(text).toMatch(/^native-fleet +1,000 to 10,000 +12\.5 +12\.5 +12\.5 +12\.5 +12\.5 +12\.5$/m);
  });
  test("tells for each target what was measured, and whether it is met", () => {
    expect(text).toMatch(/^native: create +1\.00 \(0\.90-1\.10\) ≤ 1 +not measured ≤ 1\.2$/m);
    expect(text).toMatch(/^native: preview +1\.00 \(0\.90-1\.10\) > 0\.9, missed +not measured ≤ 0\.9$/m);
    expect(text).toMatch(/^native-fleet: create +0\.20 > 0\.15, missed +not measured ≤ 0\.04 +25\.0 s ≤ 40$/m);
    expect(text).toMatch(/^native-fleet, log off: preview +not measured ≤ 0\.7 +not measured ≤ 0\.4 +1\.0 s ≤ 28$/m);
    expect(text).toMatch(/^native: provider's peak +70 MB ≤ 170 /m);
    expect(text).toMatch(/^native-fleet: growth of [^≤]+ 12\.5 times \(create\) > 11, missed$/m);
  });
});
