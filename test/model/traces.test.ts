import { describe, expect, test } from "vitest";
import { canonical } from "./canonical.ts";
import { readFixture } from "./fixtures.ts";
import { scenarios } from "./scenarios.ts";
import { openScene } from "./scene.ts";

describe("calls the provider exactly as the recorded engine did", () => {
  for (const scenario of scenarios) {
    test(scenario.name, async () => {
      const recorded = await readFixture(scenario);
      await using scene = await openScene({ unconnectedSync: "accept" });
      for (const [index, { program, command, byHand, refused }] of scenario.steps.entries()) {
        if (byHand !== undefined) await scene.deed(byHand.name, byHand.deed);
        if (refused)
          scene.emulator.fault({ kind: "status", status: 422, match: refused, times: 100, body: { detail: [] } });
        const { errors, processes } = await scene.stack.run(program, command);
        scene.emulator.clearFaults();
        const expected = recorded[index];
        expect(canonical({ succeeds: errors.length === 0, processes }), `step ${index}: ${errors}`).toEqual(
          expected && canonical(expected),
        );
      }
    });
  }
});
