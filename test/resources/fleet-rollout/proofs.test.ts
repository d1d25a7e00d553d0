import { describe, expect, test } from "vitest";
import {
  failuresMaximum,
  goneUnproven,
  needsProof,
  provable,
  soakEnd,
} from "../../../src/resources/fleet-rollout/gate.ts";
import {
  areAllOverridden,
  countOverridden,
  lateToTakeBack,
  overriddenReason,
} from "../../../src/resources/fleet-rollout/overridden.ts";
import { changedByHandReason } from "../../../src/resources/fleet-rollout/prove.ts";
import type { Mark, Rollout } from "../../../src/resources/fleet-rollout/rollout.ts";
import { clock, plan, type Shown, situation, wave } from "./situation.ts";

const moved = { runs: "902" };
const overridden = { isOverridden: true };

describe("a wave needs a proof", () => {
  function needs(
    marks: Record<number, Mark>,
    more: Partial<Rollout> = {},
    of: Parameters<typeof situation>[0] = {},
    name = "canary",
  ) {
    const running = wave(marks, { name });
    const { inputs, rollout, view } = situation(of, { waves: [running], ...more });
    return needsProof(inputs, running, rollout, view);
  }

  test("if none of its tenants is proven", () => {
    expect(needs({ 1: "skipped" })).toBe(true);
    expect(needs({ 1: "proven", 2: "skipped" })).toBe(false);
  });

  test("but not that of those who were behind, and not one without tenants", () => {
    expect(needs({ 1: "skipped" }, {}, {}, "stragglers")).toBe(false);
    expect(needs({})).toBe(false);
  });

  test("but not if nobody in it had to move", () => {
    expect(needs({ 1: "skipped" }, { before: new Map([[1, "902"]]) })).toBe(false);
  });

  test("but not of tenants that have left, unless they left after they had moved", () => {
    const gone = { shown: { 2: {}, 3: {}, 4: {} } };
    expect(needs({ 1: "left" }, {}, gone)).toBe(false);
    expect(needs({ 1: "left" }, { reasons: new Map([[1, goneUnproven]]) }, gone)).toBe(true);
  });

  test("also of newcomers, if no other wave has proven the release", () => {
    const of = { of: { ...plan, members: "b=2 c=3 d=4", newcomers: "a=1" } };
    const waves = [wave({ 2: "proven" }), wave({ 1: "skipped" })];
    expect(needs({ 1: "skipped" }, {}, of)).toBe(true);
    expect(needs({ 1: "skipped" }, { waves }, of)).toBe(false);
    expect(needs({ 1: "skipped", 3: "skipped" }, { waves }, of)).toBe(true);
  });

  test("but not of newcomers that have left after they had moved", () => {
    const of = { shown: { 2: {}, 3: {}, 4: {} }, of: { ...plan, members: "b=2 c=3 d=4", newcomers: "=1" } };
    const waves = [wave({ 2: "proven" }), wave({ 1: "left" })];
    expect(needs({ 1: "left" }, { waves, reasons: new Map([[1, goneUnproven]]) }, of)).toBe(false);
  });
});

describe("a tenant can be proven later", () => {
  function isProvable(mark: Mark, shown: Shown, reason?: string) {
    const running = wave({ 1: mark });
    const reasons = new Map(reason === undefined ? [] : [[1, reason]]);
    const { rollout, view } = situation({ shown: { 1: shown } }, { waves: [running], reasons });
    return provable(running, view, rollout).length > 0;
  }

  test.each<[Mark, Shown, string | undefined, boolean]>([
    ["skipped", moved, undefined, true],
    ["skipped", { runs: "901" }, undefined, false],
    ["skipped", { ...moved, paused: true }, undefined, false],
    ["skipped", { ...moved, isConnected: false }, undefined, false],
    ["skipped", { ...moved, isOverridden: true }, undefined, false],
    ["left", {}, "it is paused", true],
    ["left", {}, overriddenReason, true],
    ["left", {}, "its configs do not fit", false],
    ["left", { runs: "903" }, changedByHandReason({ runs: "903" }), false],
    ["left", moved, changedByHandReason({ runs: "903" }), true],
    ["left", { ...moved, paused: true }, changedByHandReason({ runs: "903" }), false],
    ["proven", moved, undefined, false],
    ["open", moved, undefined, false],
  ])("if it is %s, shown as %o, for the reason %s: %s", (mark, shown, reason, expected) => {
    expect(isProvable(mark, shown, reason)).toBe(expected);
  });
});

test("the soak of those that were behind ends at once", () => {
  const gate = { soakSeconds: 60 };
  expect(soakEnd({ gate }, wave({}, { provenAt: clock }))).toBe("2026-11-25T12:01:00.000Z");
  expect(soakEnd({ gate }, wave({}, { provenAt: clock, name: "stragglers" }))).toBe(clock);
});

test("none may fail in the first wave with anybody to move, also if some of it ran the release before", () => {
  const [before, first, second] = [wave({ 1: "skipped" }), wave({ 2: "skipped", 3: "failed" }), wave({ 4: "failed" })];
  const { inputs, rollout } = situation(
    { inputs: { maxFailures: 1 } },
    {
      waves: [before, first, second],
      before: new Map([
        [1, "902"],
        [2, "902"],
        [3, "901"],
        [4, "901"],
      ]),
    },
  );
  expect([before, first, second].map((one) => failuresMaximum(inputs, one, rollout))).toEqual([1, 0, 1]);
});

describe("overridden tenants", () => {
  test.each<[Mark | undefined, Shown, string | undefined, number]>([
    [undefined, {}, undefined, 1],
    ["proven", {}, undefined, 1],
    ["proven", moved, undefined, 0],
    ["skipped", moved, undefined, 0],
    ["left", moved, undefined, 1],
    ["open", moved, undefined, 1],
    [undefined, moved, undefined, 1],
    [undefined, moved, "902", 0],
  ])("with the mark %s, shown as %o, that ran %s before count %d", (mark, shown, ran = "901", count) => {
    const waves = mark === undefined ? [] : [wave({ 1: mark })];
    const { rollout, view } = situation(
      { shown: { 1: { ...shown, ...overridden } } },
      { waves, before: new Map([[1, ran]]) },
    );
    expect(countOverridden(rollout, view)).toBe(count);
  });

  test("are all of a wave only if one of it is to move, and none is free", () => {
    const at = (shown: Record<number, Shown>, ...ids: number[]) => {
      const { rollout, view } = situation(
        { shown },
        {
          before: new Map([
            [1, "901"],
            [2, "901"],
            [3, "902"],
          ]),
        },
      );
      return areAllOverridden(rollout, view, ids);
    };
    expect(at({ 1: overridden, 2: {} }, 1)).toBe(true);
    expect(at({ 1: overridden, 2: {} }, 1, 2)).toBe(false);
    expect(at({ 1: overridden, 3: moved }, 1, 3)).toBe(true); // c ran the release before
    expect(at({ 3: moved }, 3)).toBe(false);
    expect(at({ 1: overridden }, 1, 2)).toBe(true); // b was archived
    expect(at({}, 2)).toBe(false);
  });

  test("of a way back come late if they are free, also if somebody has taken them back", () => {
    const back = { direction: "back" as const, phase: "done" as const, reasons: new Map([[1, overriddenReason]]) };
    const late = (shown: Shown, more: Partial<Rollout> = {}) => {
      const { rollout, view } = situation({ shown: { 1: shown } }, { ...back, ...more });
      return lateToTakeBack(rollout, view);
    };
    expect(late(moved)).toEqual([1]);
    expect(late(moved, { phase: "failed" })).toEqual([1]);
    expect(late(moved, { phase: "progressing" })).toEqual([]);
    expect(late(moved, { direction: "forward" })).toEqual([]);
    expect(late({ runs: "901" })).toEqual([1]);
    expect(late({ ...moved, ...overridden })).toEqual([]);
    expect(late(moved, { reasons: new Map([[1, "its configs do not fit"]]) })).toEqual([]);
    const { rollout, view } = situation({ shown: { 1: { ...moved, ...overridden } } }, back);
    expect(countOverridden(rollout, view)).toBe(1);
  });
});
