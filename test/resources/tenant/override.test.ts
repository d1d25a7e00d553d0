import { describe, expect, test, vi } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import { unknownValue } from "../../../src/json/unknown.ts";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import { acme, stage } from "../stage.ts";
import {
  broughtRunning,
  incident,
  overriddenBy,
  overrideStage,
  previewed,
  running,
  unmanaged,
  untilTwo,
} from "./override-stage.ts";

const patch = (id: string, body: object) => ({ request: `PATCH /v2/tenants/${id}`, body });
const paused: TenantInputs = { ...running, paused: true };

const each: Partial<Variants>[] = [
  {},
  { defaults: "absent" },
  { patchAnswer: "nothing" },
  { patchAnswer: "empty", visibility: "delayed" },
  { maskedConfigs: "yes" },
  { maskedConfigs: "left-out" },
];

describe.concurrent.each(each)("with the variants %j", (variants) => {
  const consistencyTimeoutSeconds = variants.visibility === "delayed" ? 3 : 0.3;

  test.each<[string, TenantInputs, boolean, boolean]>([
    ["declares that it runs", running, false, false],
    ["declares nothing and runs", unmanaged, false, false],
    ["declares nothing and is paused", unmanaged, true, true],
    ["declares that it is paused", paused, true, true],
  ])("a tenant that %s is paused, shows no drift, and gets that back", async (_, inputs, isPaused, isPausedAfter) => {
    await using on = await stage({ variants });
    const operation = () => on.operation({ consistencyTimeoutSeconds }).tenant;
    const { id, state } = await broughtRunning(on, inputs, consistencyTimeoutSeconds);
    await on.changeByHand(id, { paused: isPaused });
    await vi.waitFor(async () => expect((await operation().read(id, state))?.state).toEqual(state), 5000);
    on.emulator.clearRequests();

    const declared = { ...inputs, override: incident };
    expect(await operation().diff(id, state, declared)).toMatchObject({ isChanged: true });
    const overridden = await operation().update(id, state, declared);
    expect(overridden).toEqual({ ...state, override: incident, overridden: { paused: isPaused } });
    expect(on.writes()).toEqual(isPaused ? [] : [patch(id, { paused: true })]);
    expect(await on.tenant(id)).toMatchObject({ paused: true });

    expect(await operation().read(id, overridden)).toEqual({ inputs: declared, state: overridden });
    expect(await operation().diff(id, overridden, declared)).toEqual({ isChanged: false });

    on.emulator.clearRequests();
    expect(await operation().diff(id, overridden, inputs)).toEqual({ isChanged: true });
    const restored = await operation().update(id, overridden, inputs);
    expect(restored).toEqual(state);
    expect(on.writes()).toEqual(isPausedAfter ? [] : [patch(id, { paused: false })]);
    expect(await on.tenant(id)).toMatchObject({ paused: isPausedAfter });
    expect(await operation().diff(id, restored, inputs)).toEqual({ isChanged: false });
  });
});

describe("while an override is in force", () => {
  test("a new tenant stays paused, and gets what it declares at the end", async () => {
    await using on = await overrideStage();
    const declared = { ...running, override: incident };
    const { id, state } = await on.operation().tenant.create(declared);
    expect(state).toMatchObject({ paused: false, override: incident, overridden: { paused: true } });
    expect(JSON.stringify(on.writes())).not.toContain('"paused"');
    expect(await on.tenant(id)).toMatchObject({ paused: true, configs: running.configs });
    expect(await on.operation().tenant.diff(id, state, declared)).toEqual({ isChanged: false });
    await on.operation().tenant.update(id, state, running);
    expect(await on.tenant(id)).toMatchObject({ paused: false });
  });

  test("a new tenant that declares nothing stays paused afterwards", async () => {
    await using on = await overrideStage();
    const { id, state } = await on.operation().tenant.create({ ...unmanaged, override: incident });
    await on.operation().tenant.update(id, state, unmanaged);
    expect(await on.tenant(id)).toMatchObject({ paused: true });
  });

  test.each([true, false])("a tenant that is taken over gets back what it had: paused %s", async (isPaused) => {
    await using on = await overrideStage();
    const adopt = await on.add({ integration: "crm-to-billing", name: "acme", paused: isPaused });
    on.emulator.clearRequests();
    const { id, state } = await on
      .operation()
      .tenant.create({ ...acme, adopt, schedule: "0 1 * * *", override: incident });
    expect(state.overridden).toEqual({ paused: isPaused });
    expect(on.writes()).toEqual([
      ...(isPaused ? [] : [patch(id, { paused: true })]),
      patch(id, { user_schedule: "0 1 * * *" }),
    ]);
    await on.operation().tenant.update(id, state, { ...acme, adopt, schedule: "0 1 * * *" });
    expect(await on.tenant(id)).toMatchObject({ paused: isPaused });
  });

  test.each(["merge-patch", "replace"] as const)(
    "a tenant that is taken over keeps the metadata that it has and nothing declares: %s",
    async (metadata) => {
      await using on = await stage({ variants: { metadata } });
      const theirs = { cursor: 991, plan: "silver" };
      const adopt = await on.add({ integration: "crm-to-billing", name: "acme", paused: false, metadata: theirs });
      await on.operation().tenant.create({ ...acme, adopt, metadata: { plan: "gold" }, override: incident });
      expect(await on.tenant(adopt)).toMatchObject({ paused: true, metadata: { cursor: 991, plan: "gold" } });
    },
  );

  test("other settings change as usual, after the pause, and change once more at the end before the tenant runs", async () => {
    await using on = await overrideStage();
    const { id, state } = await broughtRunning(on);
    const after = { ...running, schedule: "0 1 * * *", metadata: { plan: "silver" }, override: incident };
    const overridden = await on.operation().tenant.update(id, state, after);
    expect(on.writes()).toEqual([
      patch(id, { paused: true }),
      patch(id, { user_schedule: "0 1 * * *" }),
      { request: `PATCH /v2/tenants/${id}/metadata`, body: { plan: "silver" } },
    ]);
    on.emulator.clearRequests();
    await on.operation().tenant.update(id, overridden, running);
    expect(on.writes().at(-1)).toEqual(patch(id, { paused: false }));
  });

  test("another reason is stored, and nothing is written", async () => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on);
    const after = { ...running, override: { ...incident, reason: "INC-43" } };
    expect(await on.operation().tenant.diff(id, state, after)).toEqual({ isChanged: true });
    const updated = await on.operation().tenant.update(id, state, after);
    expect(updated).toEqual({ ...state, override: after.override });
    expect(on.writes()).toEqual([]);
  });

  test("another declared paused is stored, nothing is written, and the end applies it", async () => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on);
    const restated = await on.operation().tenant.update(id, state, { ...paused, override: incident });
    expect(on.writes()).toEqual([]);
    expect(restated).toMatchObject({ paused: true, overridden: { paused: false } });
    await on.operation().tenant.update(id, restated, paused);
    expect(await on.tenant(id)).toMatchObject({ paused: true });
  });

  test("a paused that is no longer declared gives the tenant back what it had before the override", async () => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on);
    const restated = await on.operation().tenant.update(id, state, { ...unmanaged, override: incident });
    expect(restated).not.toHaveProperty("paused");
    const restored = await on.operation().tenant.update(id, restated, unmanaged);
    expect(await on.tenant(id)).toMatchObject({ paused: false });
    expect(restored).not.toHaveProperty("overridden");
    expect(restored).not.toHaveProperty("paused");
  });

  test("a tenant that somebody resumes is drift, and the next up pauses it again", async () => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on);
    await on.changeByHand(id, { paused: false });
    on.emulator.clearRequests();
    const declared = { ...running, override: incident };
    const read = await on.operation().tenant.read(id, state);
    expect(read?.inputs).toEqual({ ...declared, override: { ...incident, paused: false } });
    if (read === undefined) return;
    expect(await on.operation().tenant.diff(id, read.state, declared)).toMatchObject({ isChanged: true });
    const updated = await on.operation().tenant.update(id, read.state, declared);
    expect(on.writes()).toEqual([patch(id, { paused: true })]);
    expect(updated).toEqual(state);
  });

  test("a tenant that was paused before it, and that somebody resumes just before the end, is not paused by the end", async () => {
    await using on = await overrideStage();
    const { id, state } = await broughtRunning(on, unmanaged);
    await on.changeByHand(id, { paused: true });
    const overridden = await on.operation().tenant.update(id, state, { ...unmanaged, override: incident });
    expect(overridden).toMatchObject({ overridden: { paused: true } });
    await on.changeByHand(id, { paused: false });
    on.emulator.clearRequests();
    const restored = await on.operation().tenant.update(id, overridden, unmanaged);
    expect(on.writes()).toEqual([]);
    expect(restored).not.toHaveProperty("overridden");
    expect(await on.tenant(id)).toMatchObject({ paused: false });
  });

  test("drift of another setting is shown and repaired", async () => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on);
    await on.changeByHand(id, { user_schedule: "1 1 * * *" });
    on.emulator.clearRequests();
    const read = await on.operation().tenant.read(id, state);
    expect(read?.inputs).toMatchObject({ schedule: "1 1 * * *", paused: false, override: incident });
    await on.operation().tenant.update(id, state, { ...running, override: incident });
    expect(on.writes()).toEqual([patch(id, { user_schedule: running.schedule })]);
  });

  test("the tenant can be archived", async () => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on);
    await on.operation().tenant.delete(id, state);
    expect(await on.tenant(id)).toMatchObject({ archived: true });
  });
});

describe("until", () => {
  const inputs = { ...unmanaged, override: untilTwo };
  const due = { isChanged: false, isUnfinished: true };
  const done = { isChanged: false };

  test("the first up after it restores the tenant, and then the override has no effect", async () => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on, inputs);
    await on.emulator.advance({ seconds: 2 * 3600 - 1 });
    expect(await previewed(on, id, state, inputs)).toEqual(done);
    await on.emulator.advance({ seconds: 1 });
    expect(await on.operation().tenant.read(id, state)).toEqual({ inputs, state });
    expect(await previewed(on, id, state, inputs)).toEqual(due);
    const restored = await on.operation().tenant.update(id, state, inputs);
    expect(await on.tenant(id)).toMatchObject({ paused: false });
    expect(restored).toEqual({ ...state, overridden: undefined });
    expect(await on.operation().tenant.read(id, restored)).toEqual({ inputs, state: restored });
    expect(await previewed(on, id, restored, inputs)).toEqual(done);
  });

  test("an override that has ended is one warning to remove it, and its removal writes nothing", async () => {
    await using on = await overrideStage();
    const { id, state } = await broughtRunning(on, unmanaged);
    await on.emulator.advance({ seconds: 3 * 3600 });
    const stored = await on.operation().tenant.update(id, state, inputs);
    expect(stored).toEqual({ ...state, override: untilTwo });
    await previewed(on, id, stored, inputs);
    expect(on.warnings).toEqual([
      "override INC-42 has ended at 2030-01-01T02:00:00Z: it pauses nothing any more. Remove it",
    ]);
    await on.operation().tenant.update(id, stored, unmanaged);
    expect(on.writes()).toEqual([]);
  });

  test("a later end begins the override again, with what the tenant has by then", async () => {
    await using on = await overrideStage();
    const { id, state } = await broughtRunning(on, unmanaged);
    await on.emulator.advance({ seconds: 3 * 3600 });
    const ended = await on.operation().tenant.update(id, state, inputs);
    const longer = { ...inputs, override: { ...untilTwo, until: "2030-01-02T00:00:00+01:00" } };
    const again = await on.operation().tenant.update(id, ended, longer);
    expect(again.overridden).toEqual({ paused: false });
    expect(await on.tenant(id)).toMatchObject({ paused: true });
  });

  test("without the platform's time, this machine's counts, with a warning", async () => {
    await using on = await overrideStage({ variants: { dateHeader: "absent" } });
    const { id, state } = await broughtRunning(on, unmanaged);
    const past = { ...inputs, override: { ...untilTwo, until: "2001-01-01T00:00:00Z" } };
    await on.operation().tenant.update(id, state, past);
    expect(await on.tenant(id)).toMatchObject({ paused: false });
    expect(on.warnings).toContain(
      "the platform's responses have no Date header: overrides and rollouts go by this machine's clock",
    );
  });

  test("is checked to be a time, and the rest of the override too", async () => {
    await using on = await overrideStage();
    const wrong = (override: object) => on.operation().tenant.check({ ...acme, override }, undefined);
    expect(await wrong({ ...incident, until: "tomorrow" })).toEqual([
      { property: "override.until", reason: "must be a time such as 2026-11-24T06:00:00Z" },
    ]);
    expect(await wrong({ ...incident, paused: false })).toEqual([
      expect.objectContaining({ property: "override.paused", reason: expect.stringMatching(/^must be true/) }),
    ]);
    expect(await wrong({ paused: true })).toMatchObject([{ property: "override.reason" }]);
  });
});

describe("a preview says", () => {
  test("what the override pauses, and until when", async () => {
    await using on = await overrideStage();
    const { id, state } = await broughtRunning(on);
    await previewed(on, id, state, { ...running, override: incident });
    await previewed(on, id, state, { ...running, override: untilTwo });
    expect(on.notes).toEqual([
      'tenant "acme": override INC-42 pauses it',
      'tenant "acme": override INC-42 pauses it until 2030-01-01T02:00:00Z',
    ]);
  });

  test.each<[TenantInputs, string]>([
    [running, "resumes it"],
    [unmanaged, "resumes it"],
    [paused, "leaves it paused"],
  ])("what the end does", async (inputs, effect) => {
    await using on = await overrideStage();
    const { id, state } = await overriddenBy(on, { ...inputs, override: untilTwo });
    await previewed(on, id, state, inputs);
    expect(on.notes).toEqual([`tenant "acme": the end of override INC-42 ${effect}`]);
  });

  test("nothing of an override that it does not know yet", async () => {
    await using on = await overrideStage();
    const { id, state } = await broughtRunning(on);
    const { tenant } = on.operation();
    for (const override of [unknownValue, { ...incident, reason: unknownValue }]) {
      expect(await tenant.check({ ...running, override }, state)).toEqual([]);
      expect(await tenant.diff(id, state, { ...running, override })).toEqual({ isChanged: true });
    }
    expect(on.notes).toEqual([]);
  });
});
