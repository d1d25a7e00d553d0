import { describe, expect, test } from "vitest";
import type { Wave } from "../../../src/resources/fleet-rollout/schema.ts";
import {
  inOrder,
  plannedWaves as planned,
  type Ranking,
  type StartedMembers,
  waveName,
} from "../../../src/resources/fleet-rollout/waves.ts";

const members = (count: number, prefix = "t") =>
  Array.from({ length: count }, (_, index) => ({ key: `${prefix}${index + 1}` }));
type One = { key: string | undefined };
const plannedWaves = (waves: readonly Wave[], ranking: Ranking<One>, started: readonly (readonly One[])[]) =>
  planned(
    waves,
    ranking,
    started.map((members): StartedMembers<One> => ({ members, joined: new Set() })),
  );
const keys = (waves: readonly (readonly { key: string | undefined }[])[]) =>
  waves.map((wave) => wave.map(({ key }) => key ?? "gone"));

describe("the size of a wave", () => {
  test("is its share of all tenants, less the waves before it", () => {
    const waves = [{ percent: 10 }, { percent: 10 }, { percent: 25 }, { percent: 100 }];
    const sizes = plannedWaves(waves, { ranked: members(30), newcomers: [] }, []).map(({ length }) => length);
    expect(sizes).toEqual([3, 0, 5, 22]);
  });

  test("rounds up, without the errors of decimals", () => {
    const sizes = plannedWaves([{ percent: 0.7 }, { percent: 100 }], { ranked: members(1000), newcomers: [] }, []).map(
      ({ length }) => length,
    );
    expect(sizes).toEqual([7, 993]);
  });

  test("is never negative, after waves that name many", () => {
    const ranked = members(4);
    const waves = [{ tenants: ["t1", "t2", "t3"] }, { percent: 50 }, { percent: 100 }];
    expect(keys(plannedWaves(waves, { ranked, newcomers: [] }, []))).toEqual([["t1", "t2", "t3"], [], ["t4"]]);
  });
});

test("a tenant that a later wave names is in no share before it", () => {
  const waves = [{ percent: 50 }, { tenants: ["t1"] }, { percent: 100 }];
  expect(keys(plannedWaves(waves, { ranked: members(4), newcomers: [] }, []))).toEqual([["t2", "t3"], ["t1"], ["t4"]]);
});

test("a tenant that has left keeps its place, so that no other moves to another wave", () => {
  const waves = [{ percent: 50 }, { percent: 100 }];
  const ranked = members(4).map((member) => (member.key === "t1" ? { key: undefined } : member));
  expect(keys(plannedWaves(waves, { ranked, newcomers: [] }, []))).toEqual([
    ["gone", "t2"],
    ["t3", "t4"],
  ]);
});

test("newcomers join the first wave that has not started, and change the size of none", () => {
  const ranked = members(4);
  const waves = [{ percent: 25 }, { percent: 50 }, { percent: 100 }];
  const newcomers = members(2, "n");
  const started = [ranked.slice(0, 1)];
  expect(keys(plannedWaves(waves, { ranked, newcomers }, started))).toEqual([
    ["t2", "n1", "n2"],
    ["t3", "t4"],
  ]);
});

test("a wave may name a newcomer", () => {
  const ranked = members(2);
  const waves = [{ percent: 50 }, { tenants: ["n1"] }, { percent: 100 }];
  const [first, second] = plannedWaves(waves, { ranked, newcomers: members(1, "n") }, []);
  expect(keys([first ?? [], second ?? []])).toEqual([["t1"], ["n1"]]);
});

test("waves that were edited move only members of those that have not started", () => {
  const ranked = members(10);
  const started = [ranked.slice(0, 4)];
  const waves = [{ percent: 10 }, { percent: 50 }, { percent: 100 }];
  expect(plannedWaves(waves, { ranked, newcomers: [] }, started).map(({ length }) => length)).toEqual([1, 5]);
});

test("the tenants of a started wave count for the sizes of the next ones, in whatever place they are", () => {
  const ranked = members(4);
  const waves = [{ tenants: ["t4"] }, { percent: 50 }, { percent: 100 }];
  expect(keys(plannedWaves(waves, { ranked, newcomers: [] }, [ranked.slice(3)]))).toEqual([["t1"], ["t2", "t3"]]);
});

test("a tenant that joined an earlier wave keeps its place, so that no other takes it", () => {
  const ranked = members(6);
  const [t1, , t3] = ranked;
  const joined = new Set([t3].flatMap((member) => member ?? []));
  const started = [{ members: [t1, t3].flatMap((member) => member ?? []), joined }];
  const waves = [{ tenants: ["t1"] }, { percent: 50 }, { percent: 100 }];
  expect(keys(planned<One>(waves, { ranked, newcomers: [] }, started))).toEqual([["t2"], ["t4", "t5", "t6"]]);
});

test("a tenant that joined an earlier wave from a later place leaves the sizes of the waves as they were", () => {
  const ranked = members(6);
  const [t1, , , , , t6] = ranked;
  const joined = new Set([t6].flatMap((member) => member ?? []));
  const started = [{ members: [t1, t6].flatMap((member) => member ?? []), joined }];
  const waves = [{ tenants: ["t1"] }, { percent: 50 }, { percent: 100 }];
  expect(keys(planned<One>(waves, { ranked, newcomers: [] }, started))).toEqual([
    ["t2", "t3"],
    ["t4", "t5"],
  ]);
});

test("the tenants of a started wave are in no later one", () => {
  const ranked = members(3);
  const [t1] = ranked;
  const started = [{ members: [t1].flatMap((member) => member ?? []), joined: new Set<One>() }];
  expect(
    keys(
      planned<One>([{ percent: 30 }, { tenants: ["t1", "t2"] }, { percent: 100 }], { ranked, newcomers: [] }, started),
    ),
  ).toEqual([["t2"], ["t3"]]);
});

test("a tenant that two waves name is in the first of them, and one that is unknown is in none", () => {
  const waves = [{ tenants: ["t1", "nobody"] }, { tenants: ["t1", "t2"] }, { percent: 100 }];
  expect(keys(plannedWaves(waves, { ranked: members(3), newcomers: [] }, []))).toEqual([["t1"], ["t2"], ["t3"]]);
});

test("newcomers are in one wave only, and a wave without a share and without tenants has only them", () => {
  const newcomers = members(1, "n");
  expect(keys(plannedWaves([{}, { percent: 100 }], { ranked: members(2), newcomers }, []))).toEqual([
    ["n1"],
    ["t1", "t2"],
  ]);
});

test("newcomers that have left do not count as named", () => {
  const newcomers: One[] = [{ key: undefined }];
  expect(keys(plannedWaves([{ percent: 50 }, { tenants: ["t2"] }], { ranked: members(2), newcomers }, []))).toEqual([
    ["t1", "gone"],
    ["t2"],
  ]);
});

test("the waves that have started come first, in the order in which they did, also if they are gone from the strategy", () => {
  const waves = [{ name: "early", percent: 10 }, { percent: 50 }, { tenants: ["t1"], name: "late" }];
  expect(inOrder(waves, ["late", "gone"])).toEqual([
    { percent: 0, tenants: ["t1"], name: "late" },
    { percent: 0, name: "gone" },
    { name: "early", percent: 10 },
    { name: "50%", percent: 50 },
  ]);
});

test("a wave is called by its name, else by its share, else by its tenants", () => {
  const ofTenants = [[], ["t1"], ["t1", "t2", "t3"], ["t1", "t2", "t3", "t4"]].map((tenants) => ({ tenants }));
  expect([{ name: "early", percent: 1 }, { percent: 50 }, ...ofTenants].map(waveName)).toEqual([
    "early",
    "50%",
    "no tenants",
    "t1",
    "t1, t2, t3",
    "t1, t2 and 2 more",
  ]);
});
