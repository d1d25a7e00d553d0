import { describe, expect, test } from "vitest";
import { writeReleaseRefs } from "../../../src/resources/fleet-rollout/release-ref.ts";
import {
  type FleetRolloutInputs,
  type FleetRolloutState,
  fleetRolloutStateSchema,
} from "../../../src/resources/fleet-rollout/schema.ts";
import { inputsOf, newer, older, type RolloutStage, rolloutStage, up } from "./rollout-stage.ts";

// The rollout takes tenants to v1.1.0, which is another release later: its tag moves.

const canary = [{ name: "canary", tenants: ["t1"], approval: "required" as const }, { percent: 100 }];
const approved = (reference: string) => ({ approvals: { "v1.1.0": { canary: reference } } });

/** A stage, and the releases that the tag means: the first one, and the one to which it has moved. */
async function withMovedTag() {
  const on = await rolloutStage({ tenants: 2 });
  // the tenants follow a channel, so that both releases are new to them
  const [first, second] = [newer ?? 0, older ?? 0];
  for (const id of Object.values(on.ids))
    await on.changeByHand(id, { integration_release_id: null, integration_release_channel: "Latest" });
  const before = writeReleaseRefs(new Map(Object.values(on.ids).map((id) => [id, "Latest"])));
  const planOf = (number: number, release: number) => ({
    ...{ ...on.plan, number, release, before, from: "Latest", label: "v1.1.0" },
    earlier: Array.from({ length: number - 1 }, (_, index) => ({
      number: number - 1 - index,
      release: first,
      joined: "",
    })),
  });
  const next = (number: number, release: number, more: Partial<FleetRolloutInputs>, stored?: FleetRolloutState) =>
    up(on, inputsOf(on, { plan: planOf(number, release), waves: canary, ...more }), stored);
  return { on, first, second, planOf, next };
}

const moves = (on: RolloutStage) => on.written();
const asksAgain = (reference: string) =>
  `waiting for approvals.v1.1.0.canary: ${reference} approves release 902, and the tag v1.1.0 has moved to release 901 since`;

describe("an approval of a wave", () => {
  test("does not start the wave of the release to which its tag has moved", async () => {
    const { on, first, second, next } = await withMovedTag();
    await using _ = on;
    const waiting = await next(1, first, {});
    expect(waiting.state.status).toContain("waiting for approvals.v1.1.0.canary");
    const given = await next(
      1,
      first,
      { ...approved("CHG-1"), freeze: [{ from: "2000-01-01", to: "2100-01-01" }] },
      waiting.state,
    );
    expect(given.state.approvedReleases).toEqual([
      { label: "v1.1.0", wave: "canary", reference: "CHG-1", release: first },
    ]);
    const moved = await next(2, second, approved("CHG-1"), given.state);
    expect(moved.state).toMatchObject({ phase: "waiting", status: expect.stringContaining(asksAgain("CHG-1")) });
    expect(on.notes.join("\n")).toContain(asksAgain("CHG-1"));
    expect((await next(2, second, approved("CHG-1"), moved.state)).state).toBe(moved.state);
    expect(moves(on)).toEqual([]);
    await next(2, second, approved("CHG-2"), moved.state);
    expect(moves(on)).toEqual(["t1"]);
    expect(on.notes.join("\n")).toContain("canary starts, approved by CHG-2");
  });

  test("that is given while the tag moves is taken for one of the former release", async () => {
    const { on, first, second, next } = await withMovedTag();
    await using _ = on;
    const waiting = await next(1, first, {});
    const moved = await next(2, second, approved("CHG-1"), waiting.state);
    expect(moved.state.status).toContain(asksAgain("CHG-1"));
    expect(moves(on)).toEqual([]);
  });

  test("that takes the place of the former one as the tag moves is one of the new release", async () => {
    const { on, first, second, next } = await withMovedTag();
    await using _ = on;
    const frozen = { freeze: [{ from: "2000-01-01", to: "2100-01-01" }] };
    const given = await next(1, first, { ...approved("CHG-1"), ...frozen });
    await next(2, second, approved("CHG-2"), given.state);
    expect(moves(on)).toEqual(["t1"]);
  });

  test("belongs to its release also after it was removed or another took its place", async () => {
    const { on, first, second, next } = await withMovedTag();
    await using _ = on;
    const frozen = { freeze: [{ from: "2000-01-01", to: "2100-01-01" }] };
    const given = await next(1, first, { ...approved("CHG-1"), ...frozen });
    const moved = await next(2, second, approved("CHG-1"), given.state);
    const removed = await next(2, second, {}, moved.state);
    const again = await next(2, second, approved("CHG-1"), removed.state);
    expect(again.state.status).toContain(asksAgain("CHG-1"));
    const other = await next(2, second, { ...approved("CHG-2"), ...frozen }, again.state);
    const back = await next(2, second, approved("CHG-1"), other.state);
    expect(back.state.status).toContain(asksAgain("CHG-1"));
    expect(moves(on)).toEqual([]);
    await next(2, second, approved("CHG-2"), back.state);
    expect(moves(on)).toEqual(["t1"]);
  });

  test("that takes the place of one that was removed before the tag moved is taken for one of the former release", async () => {
    const { on, first, second, next } = await withMovedTag();
    await using _ = on;
    const frozen = { freeze: [{ from: "2000-01-01", to: "2100-01-01" }] };
    const given = await next(1, first, { ...approved("CHG-1"), ...frozen });
    const removed = await next(1, first, {}, given.state);
    const moved = await next(2, second, approved("CHG-2"), removed.state);
    expect(moved.state.status).toContain(asksAgain("CHG-2"));
    expect(moves(on)).toEqual([]);
  });

  test("counts again once its tag means its release again", async () => {
    const { on, first, second, next } = await withMovedTag();
    await using _ = on;
    const given = await next(1, first, { ...approved("CHG-1"), freeze: [{ from: "2000-01-01", to: "2100-01-01" }] });
    const moved = await next(2, second, approved("CHG-1"), given.state);
    expect(moves(on)).toEqual([]);
    await next(3, first, approved("CHG-1"), moved.state);
    expect(moves(on)).toEqual(["t1"]);
  });

  test("does not start the first wave of the first rollout if the tag moved before that began", async () => {
    const { on, first, second, planOf } = await withMovedTag();
    await using _ = on;
    const earlier = [{ number: 1, release: first, label: "v1.1.0", joined: "" }];
    const plan = { ...planOf(2, second), earlier };
    const moved = await up(on, inputsOf(on, { plan, waves: canary, ...approved("CHG-1") }));
    expect(moved.state.status).toContain(asksAgain("CHG-1"));
    expect(moves(on)).toEqual([]);
    await up(on, inputsOf(on, { plan, waves: canary, ...approved("CHG-2") }), moved.state);
    expect(moves(on)).toEqual(["t1"]);
  });

  test("in a state of an earlier version belongs to the release of that state's rollout", async () => {
    const { on, first, second, next } = await withMovedTag();
    await using _ = on;
    const given = await next(1, first, { ...approved("CHG-1"), freeze: [{ from: "2000-01-01", to: "2100-01-01" }] });
    const { approvedReleases: _given, ...stored } = given.state;
    const earlier = fleetRolloutStateSchema.parse(stored);
    const moved = await next(2, second, approved("CHG-1"), earlier);
    expect(moved.state.status).toContain(asksAgain("CHG-1"));
    expect(moves(on)).toEqual([]);
    await next(1, first, approved("CHG-1"), earlier);
    expect(moves(on)).toEqual(["t1"]);
  });
});
