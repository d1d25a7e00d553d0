import { describe, expect, test } from "vitest";
import type { Stage } from "../stage.ts";
import { idIn } from "./fleet-stage.ts";
import { keysOf, move, planIn, rolling, rollingStage, runs, underWay, up } from "./rolling-fleet.ts";

const three = ["acme", "beta", "cedar"];
const four = [...three, "dune"];

/** The releases in the bodies of the POSTs. */
function posted(on: Stage): unknown[] {
  return on
    .writes()
    .filter(({ request }) => request === "POST /v2/tenants")
    .map(({ body }) => {
      const { integration_release_id: id, integration_release_channel: channel } = Object(body);
      return channel ?? id;
    });
}

describe("a tenant that comes while a rollout is under way", () => {
  test("is created on the release from before, which its entry does not declare", async () => {
    await using on = await rollingStage();
    const before = await underWay(on, three);
    await move(on, before, ["acme", "beta"], 502);
    const after = await up(on, rolling(four, "v2"), before);
    expect(posted(on)).toEqual([501]);
    expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 501, dune: 501 });
    expect(after.state.tenants.dune).toEqual({ tenantId: idIn(after.state, "dune") });
    expect(planIn(after)).toMatchObject({
      members: planIn(before).members,
      newcomers: `dune=${idIn(after.state, "dune")}`,
      before: { most: "501", others: {} },
    });
    expect(await on.operation().fleet.diff(after.id, after.state, after.inputs)).toEqual({ isChanged: false });
  });

  test("is created on the channel from before", async () => {
    await using on = await rollingStage();
    const made = await up(on, rolling(three));
    await move(on, made, three, "Latest");
    const before = await up(on, rolling(three, "v2"), made);
    expect(planIn(before).from).toBe("Latest");
    on.emulator.clearRequests();
    const after = await up(on, rolling(four, "v2"), before);
    expect(posted(on)).toEqual(["Latest"]);
    expect(planIn(after).before).toEqual({ most: "Latest", others: {} });
  });

  test.each([
    ["everybody is on the target", three, []],
    ["everybody is on the target, or was changed by hand", ["acme", "beta"], ["cedar"]],
  ])("is created on the target if %s", async (_, moved, byHand) => {
    await using on = await rollingStage();
    const before = await underWay(on, three);
    await move(on, before, moved, 502);
    await move(on, before, byHand, 503);
    await up(on, rolling(four, "v2"), before);
    expect(posted(on)).toEqual([502]);
  });

  test("is created on the target if it is the only one", async () => {
    await using on = await rollingStage();
    const before = await underWay(on, ["acme"]);
    await up(on, rolling({ acme: { release: { tag: "v1" } }, beta: {} }, "v2"), before);
    expect(posted(on)).toEqual([502]);
  });

  test("follows the new plan if the target changes at the same time", async () => {
    await using on = await rollingStage();
    const first = await underWay(on, three);
    await move(on, first, three, 502);
    const second = await up(on, rolling(four, "v3"), first);
    expect(posted(on)).toEqual([502]);
    expect(planIn(second)).toMatchObject({ from: "502", newcomers: "" });
    expect(keysOf(planIn(second).members).sort()).toEqual(four);
    // those of the finished rollout are still on its release, which is neither what they ran before it nor the target
    on.emulator.clearRequests();
    await up(on, rolling([...four, "elm"], "v3"), second);
    expect(posted(on)).toEqual([502]);
  });

  test("is created on the way back's release while others still go back", async () => {
    await using on = await rollingStage();
    const first = await underWay(on, three);
    await move(on, first, three, 502);
    const back = await up(on, rolling(three, "v1"), first);
    on.emulator.clearRequests();
    await up(on, rolling(four, "v1"), back);
    expect(posted(on)).toEqual([501]);
  });

  test("is created as before if it is excluded or pinned", async () => {
    await using on = await rollingStage();
    const before = await underWay(on, three);
    const tenants = { acme: {}, beta: {}, cedar: {}, dune: {}, elm: { release: { tag: "v3" } } };
    await up(on, rolling(tenants, { release: { tag: "v2" }, exclude: ["dune"] }), before);
    expect(posted(on).toSorted()).toEqual([503, undefined]);
  });

  test("that exists is taken over on what it runs", async () => {
    await using on = await rollingStage();
    const before = await underWay(on, three);
    const id = await on.add({ integration: 1, name: "dune", integration_release_id: 503 });
    const tenants = { acme: {}, beta: {}, cedar: {}, dune: { adopt: id } };
    const after = await up(on, rolling(tenants, "v2"), before);
    expect(on.writes()).toEqual([]);
    expect(planIn(after)).toMatchObject({
      newcomers: `dune=${id}`,
      before: { most: "501", others: { "503": String(id) } },
    });
  });

  test("is created once if the response to its POST is lost", async () => {
    await using on = await rollingStage();
    const before = await underWay(on, three);
    on.emulator.fault({ kind: "cut-after", match: { method: "POST", path: "/v2/tenants$" }, times: 1 });
    const after = await up(on, rolling(four, "v2"), before);
    expect(await runs(on)).toEqual({ acme: 501, beta: 501, cedar: 501, dune: 501 });
    expect(planIn(after).newcomers).toBe(`dune=${idIn(after.state, "dune")}`);
  });
});

describe("the first create of a fleet with a rollout", () => {
  test("creates all tenants on the target, and moves nobody whom it takes over", async () => {
    await using on = await rollingStage();
    const id = await on.add({ integration: 1, name: "cedar", integration_release_id: 501 });
    on.emulator.clearRequests();
    const made = await up(on, rolling({ acme: {}, beta: {}, cedar: { adopt: id } }, "v2"));
    expect(posted(on)).toEqual([502, 502]);
    expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 501 });
    expect(planIn(made)).toMatchObject({ from: "502", before: { most: "502", others: { "501": String(id) } } });
  });
});

describe("on another kind of platform", () => {
  test.each([{ defaults: "absent" }, { visibility: "delayed" }, { pageSize: "capped" }] as const)(
    "the plan is the same: %o",
    async (variants) => {
      await using on = await rollingStage(variants);
      const before = await underWay(on, three);
      expect(planIn(before)).toMatchObject({ from: "501", before: { most: "501", others: {} } });
      await move(on, before, ["acme"], 502);
      const after = await up(on, rolling(four, "v2"), before);
      expect(posted(on)).toEqual([501]);
      expect(planIn(after)).toMatchObject({ before: { most: "501", others: {} } });
      expect(keysOf(planIn(after).newcomers)).toEqual(["dune"]);
    },
  );

  test("that omits the release, what a tenant ran before is unknown, except of those that the fleet creates", async () => {
    await using on = await rollingStage({ absentField: "release" });
    const before = await underWay(on, three);
    const ids = three.map((key) => idIn(before.state, key)).join(" ");
    expect(planIn(before).before).toEqual({ others: { unknown: ids } });
    expect(planIn(before)).not.toHaveProperty("from");
    const after = await up(on, rolling(four, "v2"), before);
    expect(planIn(after).before).toEqual({ most: "502", others: { unknown: ids } });
  });

  test("that omits the channel, the channel counts that a tenant had in the state", async () => {
    await using on = await rollingStage({ absentField: "integration_release_channel" });
    const release = { tag: "v1" };
    const made = await up(
      on,
      rolling({ acme: { release: { channel: "Latest" } }, beta: { release }, cedar: { release } }),
    );
    const before = await up(on, rolling(three, "v2"), made);
    const acme = String(idIn(made.state, "acme"));
    expect(planIn(before)).toMatchObject({ from: "501", before: { most: "501", others: { Latest: acme } } });
    // acme's channel selects 503, which is no sign that somebody has moved it
    const next = await up(on, rolling(three, { release: { tag: "v2" }, attempt: 2 }), before);
    expect(planIn(next).before).toEqual(planIn(before).before);
    expect(planIn(next).from).toBe(planIn(before).from);
  });
});
