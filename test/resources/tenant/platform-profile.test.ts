import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/variants.ts";
import type { PlatformAnswers } from "../../../src/platform-profile/questions.ts";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import { acme, type Stage, stage } from "../stage.ts";

/** Creates a tenant without a profile, adds a key of others, and updates it with one. */
async function updated(
  on: Stage,
  platform: PlatformAnswers,
  before: Partial<TenantInputs>,
  now: Partial<TenantInputs>,
) {
  const { id, state } = await on.operation().tenant.create({ ...acme, ...before });
  await on.changeByHand(id, {
    configs: { ...before.configs, theirs: "kept" },
    metadata: { ...before.metadata, cursor: "9" },
  });
  on.emulator.clearRequests();
  const result = on.operation({ platform }).tenant.update(id, state, { ...acme, ...now });
  return { id, result };
}

const configs = { region: "eu", api_token: "s3cret-token" };

describe("on a platform that merges", () => {
  test.each<[patch: "merge" | "merge-patch"]>([["merge"], ["merge-patch"]])(
    "by %s, a PATCH has only the declared keys",
    async (patch) => {
      await using on = await stage({ variants: { configs: patch, metadata: patch } });
      const platform: PlatformAnswers = { "configs.patch": patch, "metadata.patch": patch };
      const before = { configs, metadata: { plan: "gold" } };
      const { id, result } = await updated(on, platform, before, {
        configs: { ...configs, region: "us" },
        metadata: { plan: "silver" },
      });
      await result;
      expect(on.writes().map(({ body }) => body)).toEqual([
        { configs: { ...configs, region: "us" } },
        { plan: "silver" },
      ]);
      expect(await on.tenant(id)).toMatchObject({
        configs: { ...configs, region: "us", theirs: "kept" },
        metadata: { plan: "silver", cursor: "9" },
      });
    },
  );

  test("a key that is no longer declared is removed with one request, and what it hides needs no protection", async () => {
    await using on = await stage({ variants: { configs: "merge-patch", maskedConfigs: "other" } });
    const platform: PlatformAnswers = { "configs.patch": "merge-patch" };
    const { id, result } = await updated(
      on,
      platform,
      { configs: { region: "eu", batch_size: 7 } },
      { configs: { region: "eu" } },
    );
    await result;
    expect(on.writes()).toEqual([
      { request: `PATCH /v2/tenants/${id}`, body: { configs: { batch_size: null, region: "eu" } } },
    ]);
    expect((await on.tenant(id)).configs).toEqual({ region: "eu", theirs: "kept" });
    expect(on.warnings).toEqual([]);
  });

  test("and does so no more, the keys of others are put back, and the error names the question", async () => {
    await using on = await stage({ variants: { configs: "replace" } });
    const before = { configs: { region: "eu" } };
    const { id, result } = await updated(on, { "configs.patch": "merge" }, before, { configs: { region: "us" } });
    await expect(result).rejects.toThrow(
      /profile of this platform says that it merges \(configs\.patch\)\. They were written back/,
    );
    expect((await on.tenant(id)).configs).toEqual({ region: "us", theirs: "kept" });
  });
});

describe("a profile says", () => {
  test("how a key is removed", async () => {
    await using on = await stage({ variants: { configs: "replace" } });
    const before = { configs: { region: "eu", batch_size: 7 } };
    const { id, result } = await updated(on, { "configs.removal": "none" }, before, { configs: { region: "eu" } });
    await expect(result).rejects.toThrow("offers no way to remove undeclared keys of configs.batch_size");
    expect(on.writes()).toEqual([]);
    expect((await on.tenant(id)).configs).toMatchObject({ batch_size: 7 });
  });

  test.each<[Variants["pausedUnconnected"] & ("refused" | "ignored")]>([["refused"], ["ignored"]])(
    "that resuming an unconnected tenant is %s: nothing is sent until it is connected",
    async (answer) => {
      await using on = await stage({ variants: { pausedUnconnected: answer } });
      const platform: PlatformAnswers = { "paused.unconnected": answer };
      const { state } = await on.operation({ platform }).tenant.create({ ...acme, paused: false });
      expect(on.writes().map(({ request }) => request)).toEqual(["POST /v2/tenants"]);
      expect(state).toMatchObject({ paused: false, waitingFor: [{ path: ["paused"], until: "connected" }] });
    },
  );

  test("that forms are the platform's own: such a value is accepted at once, also where it is shown as before", async () => {
    await using on = await stage({ variants: { textForm: "trimmed" } });
    const { id, state } = await on.operation().tenant.create({ ...acme, configs: { label: "eu" } });
    on.emulator.clearRequests();
    const platform: PlatformAnswers = { "values.form": "own" };
    const after = await on.operation({ platform }).tenant.update(id, state, { ...acme, configs: { label: "eu " } });
    expect(after.configs).toEqual({ label: "eu " });
    expect(on.writes()).toHaveLength(1);
  });

  test("that schedules are shifted: they are written when they change, and not compared", async () => {
    await using on = await stage({ variants: { scheduleForm: "shifted" } });
    const platform: PlatformAnswers = { "schedule.form": "shifted" };
    const { id, state } = await on.operation({ platform }).tenant.create({ ...acme, schedule: "0 5 * * *" });
    expect(state.schedule).toBe("0 5 * * *");
    expect((await on.operation({ platform }).tenant.read(id, state))?.state.schedule).toBe("0 5 * * *");
    const changed = await on.operation({ platform }).tenant.update(id, state, { ...acme, schedule: "0 6 * * *" });
    expect(changed.schedule).toBe("0 6 * * *");
    expect((await on.tenant(id)).user_schedule).toMatch(/^\d+ 6 /);
  });

  test("that answers show what is stored: no list follows a write", async () => {
    await using on = await stage();
    const platform: PlatformAnswers = { "answers.show": "stored" };
    const lists = async (of: PlatformAnswers | undefined, name: string) => {
      const { id, state } = await on.operation().tenant.create({ ...acme, name, configs: { region: "eu" } });
      on.emulator.clearRequests();
      const inputs = { ...acme, name, schedule: "0 5 * * *" };
      await on.operation(of && { platform: of }).tenant.update(id, { ...state }, inputs);
      return on.listCount();
    };
    expect(await lists(platform, "a")).toBeLessThan(await lists(undefined, "b"));
  });

  test("which settings PATCH takes: a change of another one is refused in the preview", async () => {
    await using on = await stage();
    const platform: PlatformAnswers = { "tenant.patch": ["name", "configs"] };
    const check = (inputs: object, old?: object) => on.operation({ platform }).tenant.check(inputs, old);
    const scheduled = { ...acme, schedule: "0 5 * * *" };
    expect(await check(scheduled)).toEqual([]);
    expect(await check({ ...acme, schedule: "0 6 * * *" }, scheduled)).toEqual([
      { property: "schedule", reason: expect.stringContaining("(tenant.patch)") },
    ]);
    expect(await check({ ...acme, paused: false })).toEqual([
      { property: "paused", reason: expect.stringContaining("or remove it here") },
    ]);
    expect(await check({ ...acme, paused: true })).toEqual([]);
  });

  test("that secrets are masked: a whole object is not written while nobody declares one", async () => {
    await using on = await stage({ variants: { maskedConfigs: "other" } });
    const { id, state } = await on.operation().tenant.create({ ...acme, configs });
    const undeclared = { ...state, configs: { region: "eu" }, unreadablePaths: undefined };
    const update = (platform: PlatformAnswers) =>
      on.operation({ platform }).tenant.update(id, undeclared, { ...acme, configs: { region: "us" } });
    await expect(update({ "secrets.display": "masked" })).rejects.toThrow("which the platform hides in reads");
    expect((await on.tenant(id)).configs).toEqual(configs);
  });
});
