import { describe, expect, test } from "vitest";
import { createTenant } from "../../emulator/running-emulator.ts";
import { archive, nothing, stageSweeps, told } from "./staged-sweeps.ts";

describe("the first sweep", () => {
  test("takes what there is as given, and so do those after it", async () => {
    const stage = await stageSweeps();
    await stage.whileDown(async () => {
      await createTenant(stage.emulator);
      await archive(stage, await createTenant(stage.emulator));
    });
    expect(await stage.sweep({ graceSeconds: 0 })).toEqual({ ...nothing, isStockTaking: true, tenants: 2 });
    expect(await stage.sweep({ graceSeconds: 0 })).toEqual({ ...nothing, tenants: 2 });
    expect(stage.published).toEqual([]);
  });

  test("of nothing is one too: what comes after it and is lost, is found", async () => {
    const stage = await stageSweeps();
    expect(await stage.sweep()).toMatchObject({ isStockTaking: true, tenants: 0 });
    const id = await stage.whileDown(() => createTenant(stage.emulator));
    await stage.sweep({ graceSeconds: 0 });
    expect(told(stage)).toEqual([["new_tenant_created", id]]);
  });

  test("that fails in the list leaves the next one to be the first", async () => {
    const stage = await stageSweeps();
    await stage.whileDown(() => createTenant(stage.emulator));
    for (const fault of [{ kind: "status", status: 503 }, { kind: "wrong-shape" }] as const) {
      stage.emulator.fault({ ...fault, times: 2, match: { path: "^/v2/tenants" } });
      await expect(stage.sweep()).rejects.toThrow("GET /v2/tenants");
      stage.emulator.clearFaults();
    }
    expect(await stage.sweep()).toMatchObject({ isStockTaking: true, tenants: 1 });
  });

  test("cut off at any step tells nobody of the remainder", async () => {
    const steps = 6;
    for (let number = 0; number < steps; number += 1) {
      for (const moment of ["before", "after"] as const) {
        const stage = await stageSweeps();
        await stage.whileDown(async () => {
          await createTenant(stage.emulator);
          await archive(stage, await createTenant(stage.emulator));
        });
        stage.failAt(number, moment);
        await expect(stage.sweep({ graceSeconds: 0 })).rejects.toThrow();
        stage.failAt();
        await stage.sweep({ graceSeconds: 0 });
        expect(await stage.sweep({ graceSeconds: 0 })).toEqual({ ...nothing, tenants: 2 });
        expect(stage.published).toEqual([]);
      }
    }
    const whole = await stageSweeps();
    await whole.whileDown(async () => {
      await createTenant(whole.emulator);
      await archive(whole, await createTenant(whole.emulator));
    });
    await whole.sweep();
    const sights = Array.from({ length: 3 }, () => "sight stock");
    expect(whole.calls).toEqual(["stockTakenAt", "sightings", ...sights, "finishStock"]);
    expect(whole.calls).toHaveLength(steps);
  });
});
