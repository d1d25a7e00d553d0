import { expect, test } from "vitest";
import { asked, failing, keptOf, operation, syncStage } from "./sync-stage.ts";

const incident = { paused: true as const, reason: "INC-42" };
const due = { isChanged: false, isUnfinished: true };
const done = { isChanged: false, isUnfinished: false };

test("a new sync of an overridden tenant waits without a diff, and the first up after the override requests it", async () => {
  await using on = await syncStage();
  const inputs = { ...on.inputs, override: incident };
  const { id, state } = await operation(on).create(inputs);
  expect(state).toEqual({ ...inputs, outcome: "skipped" });
  expect(asked(on)).toEqual([]);
  expect(await operation(on).diff(id, state, inputs)).toEqual(done);
  expect(await operation(on).diff(id, state, on.inputs)).toEqual({ isChanged: true, isUnfinished: true });
  expect(await operation(on).update(id, state, on.inputs)).toMatchObject({ outcome: "succeeded" });
  expect(asked(on)).toHaveLength(1);
});

test("changed triggers wait too", async () => {
  await using on = await syncStage();
  const { id, state } = await operation(on).create({ ...on.inputs, triggers: { version: 1 } });
  const changed = { ...on.inputs, triggers: { version: 2 }, override: incident };
  const waiting = await operation(on).update(id, state, changed);
  expect(asked(on)).toHaveLength(1);
  expect(waiting).toEqual({ ...changed, outcome: "skipped" });
  expect(await operation(on).diff(id, waiting, changed)).toEqual(done);
  const { override: _, ...after } = changed;
  await operation(on).update(id, waiting, after);
  expect(asked(on)).toHaveLength(2);
});

test("an override without a due sync changes nothing, and its end requests no sync", async () => {
  await using on = await syncStage();
  const { id, state } = await operation(on).create(on.inputs);
  const overridden = await operation(on).update(id, state, { ...on.inputs, override: incident });
  expect(overridden).toEqual({ ...state, override: incident });
  expect(await operation(on).update(id, overridden, on.inputs)).toEqual(state);
  expect(asked(on)).toHaveLength(1);
});

test("a sync that failed is not requested again before the override ends by the clock", async () => {
  await using on = await syncStage(failing);
  const { id, state } = await keptOf(operation(on).create(on.inputs));
  const { now } = Object(await (await fetch(`${on.emulator.url}/_emulator/clock`)).json());
  const until = new Date(Date.parse(now) + 3_600_000).toISOString();
  const inputs = { ...on.inputs, override: { ...incident, until } };
  const waiting = await operation(on).update(id, state, inputs);
  expect(await operation(on).diff(id, waiting, inputs)).toEqual(done);
  await on.emulator.advance({ seconds: 3600 });
  await on.operation().context.client.integrations.listPage(); // the operations of this test have one client: it hears the time
  expect(await operation(on).diff(id, waiting, inputs)).toEqual(due);
  await operation(on).check(inputs, waiting);
  expect(on.warnings).toContainEqual(expect.stringMatching(/^override INC-42 has ended at/));
});
