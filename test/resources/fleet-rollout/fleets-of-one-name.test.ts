import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import { fleetRolloutLifecycle } from "../../../src/resources/fleet-rollout/lifecycle.ts";
import type { Stage } from "../stage.ts";
import { rolling, rollingStage } from "../tenant-fleet/rolling-fleet.ts";

const urnIn = (parent: string) =>
  `urn:pulumi:production::shop::${parent}$integration-platform:index:TenantFleet::billing`;
const fleets = [
  { urn: urnIn("shop:Europe"), logicalName: "shop:Europe$billing", keys: ["acme", "beta"] },
  { urn: urnIn("shop:America"), logicalName: "shop:America$billing", keys: ["cedar"] },
];

/** The failures of a preview of new fleets with the name "billing", each with a rollout whose first wave is its first tenant. */
async function preview(on: Stage, { hasUrn, integrationId = 1 }: { hasUrn: boolean; integrationId?: unknown }) {
  const { context, fleet } = on.operation();
  for (const { logicalName, keys } of fleets) {
    expect(await fleet.check(rolling(keys, "v2", { logicalName }), undefined)).toEqual([]);
  }
  const rollout = fleetRolloutLifecycle(context);
  on.notes.length = 0;
  const checked = fleets.map(({ urn, keys: [first = ""] }) =>
    rollout.check(
      {
        ...{ fleetName: "billing", integrationId, plan: unknownValue },
        ...(hasUrn ? { fleetUrn: urn } : {}),
        waves: [{ name: "canary", tenants: [first, hasUrn ? "nobody" : first] }, { percent: 100 }],
      },
      undefined,
    ),
  );
  return (await Promise.all(checked)).map((failures) => failures.map(({ reason }) => reason));
}

describe("the rollouts of two fleets of one name", () => {
  test.each([1, unknownValue])(
    "are checked each with its own fleet, whose URN they have (integration %o)",
    async (id) => {
      await using on = await rollingStage();
      expect(await preview(on, { hasUrn: true, integrationId: id })).toEqual([
        ['is not a tenant of the fleet; there are "acme", "beta"'],
        ['is not a tenant of the fleet; there are "cedar"'],
      ]);
      expect(on.warnings).toEqual([]);
    },
  );

  test.each([1, unknownValue])(
    "are not checked without a URN, and a warning says so once (integration %o)",
    async (id) => {
      await using on = await rollingStage();
      expect(await preview(on, { hasUrn: false, integrationId: id })).toEqual([[], []]);
      expect(on.notes).toEqual([]);
      expect(on.warnings).toEqual([expect.stringMatching(/^2 fleets have the name "billing"\. Without fleetUrn/)]);
    },
  );
});
