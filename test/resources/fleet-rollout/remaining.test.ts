import { expect, test } from "vitest";
import { remainingOf } from "../../../src/resources/fleet-rollout/run-step.ts";
import { type Situation, situation } from "./situation.ts";

type Integration = Parameters<typeof remainingOf>[0];

function remaining(byDefault: number | null | undefined, more: Partial<Situation["rollout"]> = {}) {
  const all = [
    { id: 900, tag: "" },
    { id: 901, tag: "v1.0.0" },
  ];
  const integration = { record: { default_release_id: byDefault }, releases: { all: async () => all } };
  const { rollout } = situation({}, { phase: "done", ...more });
  return remainingOf(integration as unknown as Integration, rollout);
}

test.each([
  [901, "v1.0.0"],
  [900, "900"],
  [899, "899"],
])("after the end, a default release %d is still to be set, told as %s", async (byDefault, label) => {
  expect(await remaining(byDefault)).toBe(
    `the integration's default release is still ${label}. The API cannot change it: set it to v1.1.0 in the console`,
  );
});

test.each<[string, Parameters<typeof remaining>]>([
  ["the default is the release", [902]],
  ["there is no default", [null]],
  ["the platform does not show it", [undefined]],
  ["the rollout goes on", [901, { phase: "progressing" }]],
  ["it has failed", [901, { phase: "failed" }]],
  ["it has gone back", [901, { direction: "back" }]],
])("nothing remains if %s", async (_, of) => {
  expect(await remaining(...of)).toBe("");
});
