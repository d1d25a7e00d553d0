import { expect, test } from "vitest";
import { failureOf } from "../stage.ts";
import { operation, syncStage } from "./sync-stage.ts";

test("an import is refused with the reason and what to do instead", async () => {
  await using on = await syncStage();
  const importing = Promise.resolve(operation(on).import?.("trigger-1"));
  const { message } = await failureOf(importing);
  expect(message).toMatch(/^a SyncTrigger cannot be imported \(id "trigger-1"\): .*not its tenant, mode and payload/);
  expect(message).toMatch(/declare a SyncTrigger without an import\. .*getTriggerStatus/);
  expect(on.emulator.requests()).toEqual([]);
});
