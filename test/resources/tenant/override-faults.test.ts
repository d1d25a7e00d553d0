import { describe, expect, test } from "vitest";
import { call } from "../../emulator/running-emulator.ts";
import { failureOf, type Stage, stage } from "../stage.ts";
import { broughtRunning, incident, keptOf, overriddenBy, overrideStage, running, unmanaged } from "./override-stage.ts";

const onPatch = { method: "PATCH", path: "^/v2/tenants/[0-9]+$" };
const onMetadata = { path: "/metadata$" };
const isPaused = (body: unknown) => JSON.stringify(body) === JSON.stringify({ paused: true });

describe.concurrent("nothing that fails stops the pause", () => {
  const invalid = { region: "mars", api_token: "s3cret-token" };
  test.each([running, { ...running, paused: undefined }])("configs that the platform refuses", async ({ paused }) => {
    await using on = await overrideStage();
    const before = paused === undefined ? unmanaged : running;
    const { id, state } = await broughtRunning(on, before);
    const { state: kept } = await keptOf(
      on.operation().tenant.update(id, state, { ...before, configs: invalid, override: incident }),
    );
    expect(await on.tenant(id)).toMatchObject({ paused: true, configs: running.configs });
    expect(kept).toEqual({ ...state, override: incident, overridden: { paused: false } });
    // the tenant gets back what it had
    await on.operation().tenant.update(id, kept, before);
    expect(await on.tenant(id)).toMatchObject({ paused: false });
  });

  test("a declared pause is kept as well", async () => {
    await using on = await stage();
    const { id, state } = await broughtRunning(on);
    const after = { ...running, paused: true, configs: invalid };
    const { state: kept } = await keptOf(on.operation().tenant.update(id, state, after));
    expect(await on.tenant(id)).toMatchObject({ paused: true });
    expect(kept).toEqual({ ...state, paused: true });
  });

  test("an answer that tells nothing of the tenant, before configs that are refused", async () => {
    await using on = await overrideStage({ variants: { patchAnswer: "nothing" } });
    const { id, state } = await broughtRunning(on);
    const after = { ...running, configs: invalid, override: incident };
    const { state: kept } = await keptOf(on.operation().tenant.update(id, state, after));
    expect(kept).toMatchObject({ override: { paused: true }, overridden: { paused: false } });
  });

  test("metadata that cannot be read", async () => {
    await using on = await overrideStage();
    const { id, state } = await broughtRunning(on);
    on.emulator.fault({ kind: "status", status: 403, match: onMetadata, times: 9 });
    const after = { ...running, override: incident };
    const { state: kept } = await keptOf(on.operation().tenant.update(id, state, after));
    expect(await on.tenant(id)).toMatchObject({ paused: true });
    expect(kept).toEqual({ ...state, override: incident, overridden: { paused: false } });
  });

  test("a name that another tenant has", async () => {
    await using on = await overrideStage();
    const { id, state } = await broughtRunning(on);
    await on.add({ integration: "crm-to-billing", name: "globex" });
    const after = { ...running, name: "globex", override: incident };
    const { state: kept, message } = await keptOf(on.operation().tenant.update(id, state, after));
    expect(message).toMatch(/cannot be named "globex"/);
    expect(await on.tenant(id)).toMatchObject({ paused: true, name: "acme" });
    expect(kept.overridden).toEqual({ paused: false });
  });
});

test.concurrent.each(["accepted", "applied although its answer was lost"])(
  "a pause that was %s is no failed one if the reads after it fail",
  async (what) => {
    const onList = { method: "GET", path: "^/v2/tenants$" };
    const after = { ...unmanaged, override: incident };
    /** The lists before the pause, in an update without faults. */
    const listsBefore = async () => {
      await using on = await overrideStage();
      const { id, state } = await broughtRunning(on, unmanaged);
      await on.operation().tenant.update(id, state, after);
      const requests = on.emulator.requests();
      const before = requests.slice(
        0,
        requests.findIndex(({ method }) => method === "PATCH"),
      );
      return before.filter(({ path }) => path === "/v2/tenants").length;
    };
    await using on = await overrideStage();
    const { id, state } = await broughtRunning(on, unmanaged);
    on.emulator.fault({ kind: "status", status: 403, match: onList, skip: await listsBefore(), times: 99 });
    if (what !== "accepted") on.emulator.fault({ kind: "cut-after", match: onPatch, times: 1 });
    const { state: kept } = await keptOf(on.operation().tenant.update(id, state, after));
    expect(kept.overridden).toEqual({ paused: false });
    on.emulator.clearFaults();
    await on.operation().tenant.update(id, kept, unmanaged);
    expect(await on.tenant(id)).toMatchObject({ paused: false });
  },
);

describe.concurrent("a pause that fails", () => {
  test("is tried again by the next up; a refused one is no beginning of the override", async () => {
    await using on = await overrideStage();
    const { id, state } = await broughtRunning(on, unmanaged);
    on.emulator.fault({ kind: "status", status: 403, match: onPatch, times: 1 });
    const after = { ...unmanaged, override: incident };
    const { state: kept } = await keptOf(on.operation().tenant.update(id, state, after));
    expect(kept).toEqual({ ...state, override: { ...incident, paused: false } });
    expect(await on.operation().tenant.diff(id, kept, after)).toMatchObject({ isChanged: true });
    const overridden = await on.operation().tenant.update(id, kept, after);
    expect(await on.tenant(id)).toMatchObject({ paused: true });
    await on.operation().tenant.update(id, overridden, unmanaged);
    expect(await on.tenant(id)).toMatchObject({ paused: false });
  });

  test.each(["cut-after", "cut-before"] as const)(
    "with a lost answer (%s) does not lose what the tenant had",
    async (kind) => {
      await using on = await overrideStage();
      const { id, state } = await broughtRunning(on, unmanaged);
      on.emulator.fault({ kind, match: onPatch, times: 1 });
      const overridden = await on.operation().tenant.update(id, state, { ...unmanaged, override: incident });
      expect(overridden.overridden).toEqual({ paused: false });
      expect(await on.tenant(id)).toMatchObject({ paused: true });
    },
  );

  test("is known to have been written if only a later look at it fails", async () => {
    await using on = await overrideStage({ variants: { patchAnswer: "nothing" } });
    const { id, state } = await broughtRunning(on, unmanaged);
    on.emulator.fault({ kind: "ignore-fields", fields: ["paused"], match: onPatch, times: 9 });
    const after = { ...unmanaged, override: incident };
    const { state: kept, message } = await keptOf(on.operation().tenant.update(id, state, after));
    expect(message).toMatch(/has not applied paused/);
    expect(kept.override).toEqual({ ...incident, paused: false });
    expect(on.writes().every(({ body }) => isPaused(body))).toBe(true);
  });
});

describe.concurrent("a restoration that fails", () => {
  test("leaves what the tenant had in the state, without drift, and the next up goes on", async () => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on, { ...unmanaged, override: incident });
    on.emulator.fault({ kind: "status", status: 403, match: onPatch, times: 1 });
    const { state: kept } = await keptOf(on.operation().tenant.update(id, state, unmanaged));
    expect(kept.overridden).toEqual({ paused: false });
    expect(kept).not.toHaveProperty("override");
    expect(await on.operation().tenant.read(id, kept)).toEqual({ inputs: unmanaged, state: kept });
    expect(await on.operation().tenant.diff(id, kept, unmanaged)).toEqual({ isChanged: false, isUnfinished: true });
    const restored = await on.operation().tenant.update(id, kept, unmanaged);
    expect(restored).not.toHaveProperty("overridden");
    expect(await on.tenant(id)).toMatchObject({ paused: false });
  });

  test("is not done before a read shows it", async () => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on, { ...unmanaged, override: incident });
    await connect(on, id);
    on.emulator.fault({ kind: "ignore-fields", fields: ["paused"], match: onPatch, times: 9 });
    const { state: kept } = await keptOf(on.operation().tenant.update(id, state, unmanaged));
    expect(kept.overridden).toEqual({ paused: false });
  });

  test("waits for the customer if the platform does not resume an unconnected tenant", async () => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on, { ...unmanaged, override: incident });
    on.emulator.setVariants({ pausedUnconnected: "ignored" });
    const kept = await on.operation().tenant.update(id, state, unmanaged);
    expect(kept).toMatchObject({ overridden: { paused: false }, waitingFor: [{ path: ["paused"] }] });
    expect(await on.operation().tenant.diff(id, kept, unmanaged)).toEqual({ isChanged: false });
    expect((await on.operation().tenant.read(id, kept))?.state).toEqual(kept);
    await connect(on, id);
    expect(await on.operation().tenant.diff(id, kept, unmanaged)).toEqual({ isChanged: false, isUnfinished: true });
    expect(await on.operation().tenant.update(id, kept, unmanaged)).not.toHaveProperty("overridden");
    expect(await on.tenant(id)).toMatchObject({ paused: false });
  });

  test("can be repeated after the process was killed before it stored the state", async () => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on, { ...unmanaged, override: incident });
    await on.operation().tenant.update(id, state, unmanaged);
    on.emulator.clearRequests();
    const restored = await on.operation().tenant.update(id, state, unmanaged);
    expect(on.writes()).toEqual([]);
    expect(restored).not.toHaveProperty("overridden");
  });

  test("is over if somebody has archived the tenant", async () => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on);
    await on.changeByHand(id, { archived: true });
    const { message } = await failureOf(on.operation().tenant.update(id, state, running));
    expect(message).toMatch(/has been archived outside of Pulumi/);
  });
});

async function connect({ emulator }: Stage, id: string): Promise<void> {
  for (const connector of ["crm", "billing"])
    await call(emulator, "POST", `/_emulator/tenants/${id}/connectors/${connector}`, { status: "connected" });
}
