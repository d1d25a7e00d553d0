import { expect, test } from "vitest";
import { fleetRolloutLifecycle } from "../../../src/resources/fleet-rollout/lifecycle.ts";
import { inputsOf, rolloutStage, up } from "./rollout-stage.ts";

test("the state has the inputs of the last up, and none of those before", async () => {
  await using on = await rolloutStage();
  const gate = { soakSeconds: 0, minTenants: 1 };
  const first = await up(on, inputsOf(on, { paused: true, gate, maxFailures: 1 }));
  expect([first.state, on.written()]).toMatchObject([{ paused: true, maxFailures: 1 }, []]);

  const now = inputsOf(on, { gate: { soakSeconds: 1 } });
  const { state } = await up(on, now, first.state);
  expect(on.written()).toEqual(["t3"]);
  expect(state).not.toHaveProperty("paused");
  expect(state).not.toHaveProperty("maxFailures");
  expect(state.gate).toEqual({ soakSeconds: 1 });
  const { isChanged } = await fleetRolloutLifecycle(on.operation().context).diff("101/billing", state, now);
  expect(isChanged).toBe(false);
});
