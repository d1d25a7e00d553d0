import { describe, expect, test } from "vitest";
import { createTenant } from "../../emulator/running-emulator.ts";
import { archive, nothingFound, publishedEvents, startPlatform } from "./test-platform.ts";

describe("the first sweep", () => {
  test("publishes nothing, and neither do later sweeps without changes", async () => {
    const platform = await startPlatform();
    await platform.whileDown(async () => {
      await createTenant(platform.emulator);
      await archive(platform, await createTenant(platform.emulator));
    });
    expect(await platform.sweep({ graceSeconds: 0 })).toEqual({ ...nothingFound, isBaseline: true, tenants: 2 });
    expect(await platform.sweep({ graceSeconds: 0 })).toEqual({ ...nothingFound, tenants: 2 });
    expect(platform.published).toEqual([]);
  });

  test("need not see those that were archived before it either", async () => {
    const platform = await startPlatform();
    await platform.whileDown(async () => archive(platform, await createTenant(platform.emulator)));
    await platform.emulator.advance({ seconds: 3600 });
    platform.emulator.fault({ kind: "wrong-shape", body: [], times: 9, match: { path: "^/v2/tenants$" } });
    expect(await platform.sweep()).toMatchObject({ isBaseline: true, tenants: 0 });
    platform.emulator.clearFaults();
    for (const _ of [1, 2]) expect(await platform.sweep({ graceSeconds: 0 })).toEqual({ ...nothingFound, tenants: 1 });
    expect(platform.published).toEqual([]);
  });

  test("need not see those even if the sweep that does is interrupted between the tenant's observations", async () => {
    const platform = await startPlatform();
    await platform.whileDown(async () => archive(platform, await createTenant(platform.emulator)));
    await platform.emulator.advance({ seconds: 3600 });
    platform.emulator.fault({ kind: "wrong-shape", body: [], times: 9, match: { path: "^/v2/tenants$" } });
    await platform.sweep();
    platform.emulator.clearFaults();
    const steps = ["baselineCompletedAt", "findObservations", "putObservation baseline", "putObservation baseline"];
    platform.failAt(steps.indexOf("putObservation baseline"), "after");
    await expect(platform.sweep({ graceSeconds: 0 })).rejects.toThrow();
    platform.failAt();
    for (const _ of [1, 2]) expect(await platform.sweep({ graceSeconds: 0 })).toEqual({ ...nothingFound, tenants: 1 });
    expect(platform.published).toEqual([]);
  });

  test("need not see all: the creation of a tenant that is older is not published later, but its archiving is", async () => {
    const platform = await startPlatform();
    const id = await platform.whileDown(() => createTenant(platform.emulator));
    await platform.emulator.advance({ seconds: 3600 });
    platform.emulator.fault({ kind: "wrong-shape", body: [], times: 9, match: { path: "^/v2/tenants$" } });
    expect(await platform.sweep()).toMatchObject({ isBaseline: true, tenants: 0 });
    platform.emulator.clearFaults();
    for (const _ of [1, 2]) expect(await platform.sweep({ graceSeconds: 0 })).toEqual({ ...nothingFound, tenants: 1 });
    await platform.whileDown(() => archive(platform, id));
    await platform.sweep({ graceSeconds: 0 });
    expect(publishedEvents(platform)).toEqual([["tenant_archived", id]]);
  });

  test("of a platform without tenants records a baseline too, so that the next sweep finds a missing webhook", async () => {
    const platform = await startPlatform();
    expect(await platform.sweep()).toMatchObject({ isBaseline: true, tenants: 0 });
    const id = await platform.whileDown(() => createTenant(platform.emulator));
    await platform.sweep({ graceSeconds: 0 });
    expect(publishedEvents(platform)).toEqual([["new_tenant_created", id]]);
  });

  test("that cannot list the tenants is repeated by the next sweep", async () => {
    const platform = await startPlatform();
    await platform.whileDown(() => createTenant(platform.emulator));
    for (const fault of [{ kind: "status", status: 503 }, { kind: "wrong-shape" }] as const) {
      platform.emulator.fault({ ...fault, times: 2, match: { path: "^/v2/tenants" } });
      await expect(platform.sweep()).rejects.toThrow("GET /v2/tenants");
      platform.emulator.clearFaults();
    }
    expect(await platform.sweep()).toMatchObject({ isBaseline: true, tenants: 1 });
  });

  test("that is interrupted at any step is repeated by the next sweep, which publishes nothing either", async () => {
    const steps = 6;
    for (let number = 0; number < steps; number += 1) {
      for (const moment of ["before", "after"] as const) {
        const platform = await startPlatform();
        await platform.whileDown(async () => {
          await createTenant(platform.emulator);
          await archive(platform, await createTenant(platform.emulator));
        });
        platform.failAt(number, moment);
        await expect(platform.sweep({ graceSeconds: 0 })).rejects.toThrow();
        platform.failAt();
        await platform.sweep({ graceSeconds: 0 });
        expect(await platform.sweep({ graceSeconds: 0 })).toEqual({ ...nothingFound, tenants: 2 });
        expect(platform.published).toEqual([]);
      }
    }
    const whole = await startPlatform();
    await whole.whileDown(async () => {
      await createTenant(whole.emulator);
      await archive(whole, await createTenant(whole.emulator));
    });
    await whole.sweep();
    const observations = Array.from({ length: 3 }, () => "putObservation baseline");
    expect(whole.calls).toEqual(["baselineCompletedAt", "findObservations", ...observations, "completeBaseline"]);
    expect(whole.calls).toHaveLength(steps);
  });
});
