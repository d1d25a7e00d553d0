import { expect, test } from "vitest";
import { idIn } from "./fleet-stage.ts";
import { planIn, rolling, rollingStage, up } from "./rolling-fleet.ts";

const override = { paused: true, reason: "INC-42" };
const keys = ["acme", "beta", "cedar"];

test("the plan of a fleet has the tenants whose override is in force, and no others", async () => {
  await using on = await rollingStage();
  const before = await up(on, rolling(keys, "v2"));
  expect(planIn(before)).not.toHaveProperty("overridden");

  const all = await up(on, rolling(keys, "v2", { override }), before);
  const ids = keys.map((key) => idIn(all.state, key)).sort((left, right) => left - right);
  expect(planIn(all)).toEqual({ ...planIn(before), overridden: ids.join(" ") });

  const one = await up(on, rolling({ acme: {}, beta: { override }, cedar: {} }, "v2"), all);
  expect(planIn(one).overridden).toBe(String(idIn(one.state, "beta")));

  const none = await up(on, rolling(keys, "v2"), one);
  expect(planIn(none)).toEqual(planIn(before));
});

test("a new plan and a new tenant have them too, and excluded tenants are not among them", async () => {
  await using on = await rollingStage();
  const inputs = rolling(keys, { release: { tag: "v1" }, exclude: ["cedar"] }, { override });
  const before = await up(on, inputs);
  const more = rolling([...keys, "dune"], { release: { tag: "v2" }, exclude: ["cedar"] }, { override });
  const after = await up(on, more, before);
  const ids = ["acme", "beta", "dune"].map((key) => idIn(after.state, key));
  expect(planIn(after)).toMatchObject({ number: 2, overridden: ids.join(" ") });
});

test("an override that ends by the platform's clock is work for the next up, with the same inputs", async () => {
  await using on = await rollingStage({}, { clock: "manual" });
  const until = "2026-06-01T06:00:00Z";
  const before = await up(on, rolling(keys, "v2", { override: { ...override, until } }));
  expect(planIn(before).overridden).toBeDefined();
  await on.emulator.advance({ seconds: 5 * 3600 });
  expect((await up(on, before.inputs, before)).diff).toEqual({ isChanged: false });
  await on.emulator.advance({ seconds: 2 * 3600 });
  const after = await up(on, before.inputs, before);
  expect(after.diff).toMatchObject({ isChanged: false, isUnfinished: true });
  expect(planIn(after)).not.toHaveProperty("overridden");
  expect((await up(on, after.inputs, after)).diff).toEqual({ isChanged: false });
});
