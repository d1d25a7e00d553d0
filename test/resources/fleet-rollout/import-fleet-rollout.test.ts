import { expect, test } from "vitest";
import { resourceKinds } from "../../../src/resources/kinds.ts";
import { failureOf } from "../../failure-of.ts";
import { stage } from "../stage.ts";

test("an import is refused with the reason and what to do instead", async () => {
  await using on = await stage();
  const importing = resourceKinds.FleetRollout.lifecycle(on.operation().context).import?.("101/billing");
  const { message } = await failureOf(Promise.resolve(importing));
  expect(message).toMatch(
    /^a FleetRollout cannot be imported \(id "101\/billing"\): .*nothing of the rollout that moved it/,
  );
  expect(message).toMatch(/Import the TenantFleet, and declare a FleetRollout without an import/);
  expect(on.emulator.requests()).toEqual([]);
});
