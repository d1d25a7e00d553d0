import { expect, test } from "vitest";
import { failOnNewer, inputsOf, rolloutStage, up, ups } from "./rollout-stage.ts";

test("each up does one wave, and each tenant syncs once after it has moved", async () => {
  await using on = await rolloutStage();
  const inputs = inputsOf(on);

  const first = await up(on, inputs);
  expect(first.message).toBeUndefined();
  expect(await on.moved()).toEqual(["t3"]);
  expect(on.synced()).toEqual(["t3"]);
  expect(first.state).toMatchObject({ phase: "progressing", moved: 1, tenants: 10 });

  const second = await up(on, inputs, first.state);
  expect((await on.moved()).length).toBe(5);

  const third = await up(on, inputs, second.state);
  expect((await on.moved()).length).toBe(10);
  expect(on.synced().toSorted()).toEqual(Object.keys(on.ids).toSorted());
  expect(third.state).toMatchObject({ phase: "done", finished: 902, moved: 10 });
  expect(third.state.history).toMatchObject([{ outcome: "finished", proven: 10 }]);

  on.emulator.clearRequests();
  expect(await up(on, inputs, third.state)).toEqual({ state: third.state, message: undefined });
  expect(on.writes()).toEqual([]);
});

test("a canary that fails stops the rollout, and nobody else moves", async () => {
  await using on = await rolloutStage();
  await failOnNewer(on, "t3");
  const inputs = inputsOf(on);
  const { state, message } = await up(on, inputs);
  expect(message).toMatch(
    /^rollout of fleet "billing" to v1\.1\.0 has failed, wave canary: 1 tenant failed, and none may fail\. Nobody else moves:\n {2}t3 \(\d+\): its sync ended with "failed" \(GET .+\); the log of its last run: GET \/v2\/runs\/\d+\/log\n {2}To take/,
  );
  expect(state.phase).toBe("failed");

  on.emulator.clearRequests();
  expect((await up(on, inputs, state)).message).toBeUndefined();
  expect(on.writes()).toEqual([]);
  expect(on.warnings.at(-1)).toContain("failed in wave canary");
});

test("setting the release back takes the moved tenants back without syncs", async () => {
  await using on = await rolloutStage();
  await failOnNewer(on, "t5");
  const inputs = inputsOf(on, {
    waves: [{ name: "canary", tenants: ["t3"] }, { percent: 100 }],
    maxUnavailable: "100%",
  });
  const failed = await ups(on, inputs, 2);
  expect(failed.phase).toBe("failed");
  expect((await on.moved()).length).toBe(10);
  on.emulator.clearRequests();

  const plan = {
    ...on.plan,
    number: 2,
    release: 901,
    label: "v1.0.0",
    earlier: [{ number: 1, release: 902, joined: "" }],
  };
  const { state } = await up(on, inputsOf(on, { ...inputs, plan }), failed);
  expect(await on.moved()).toEqual([]);
  expect(on.synced()).toEqual([]);
  expect(state).toMatchObject({
    phase: "done",
    direction: "back",
    status: "taken back: 10 tenants run again what they ran before",
  });
});

test("the state follows settings that are changed or removed during a rollout", async () => {
  await using on = await rolloutStage();
  const inputs = inputsOf(on, { approvals: {}, freeze: [{ from: "2020-01-01", to: "2020-01-02" }] });
  const first = await up(on, inputs);

  const approvals = { "v1.1.0": { "50%": "CHG-1" } };
  const { freeze: _, ...without } = { ...inputs, approvals };
  const second = await up(on, without, first.state);
  expect(second.state.approvals).toEqual(approvals);
  expect(second.state).not.toHaveProperty("freeze");
});
