import { describe, expect, test } from "vitest";
import { subjectKey } from "../../../src/receiver/ledger/ledger.ts";
import { createTenant } from "../../emulator/running-emulator.ts";
import { afterStock, nothing } from "./staged-sweeps.ts";

describe("a sweep cut off", () => {
  const steps = [
    "stockTakenAt",
    "sightings",
    "sight noticed",
    "sight reconciling",
    "keep",
    "publish",
    "settle",
    "sight reconciled",
  ];
  const cuts = steps.flatMap((step, number) => [
    { step, number, moment: "before" } as const,
    { step, number, moment: "after" } as const,
  ]);

  test("nowhere takes these steps for what is missing", async () => {
    const stage = await afterStock();
    await stage.whileDown(() => createTenant(stage.emulator));
    stage.calls.length = 0;
    await stage.sweep({ graceSeconds: 0 });
    expect(stage.calls).toEqual(steps);
  });

  test.each(cuts)("$moment $step is finished by the next: told of under one id, recorded once", async (cut) => {
    const stage = await afterStock();
    const id = await stage.whileDown(() => createTenant(stage.emulator));
    stage.failAt(cut.number, cut.moment);
    await expect(stage.sweep({ graceSeconds: 0 })).rejects.toThrow();
    stage.failAt();
    await stage.sweep({ graceSeconds: 0 });
    const ingestIds = new Set(stage.published.map(({ detail }) => detail.ingestId));
    expect(ingestIds.size).toBe(1);
    const isBetween = ["after publish", "before settle"].includes(`${cut.moment} ${cut.step}`);
    expect(stage.published).toHaveLength(isBetween ? 2 : 1);
    expect(await stage.ledger.find([...ingestIds].join())).toMatchObject({ status: "published" });
    const subject = { tenantId: id, happening: "created" } as const;
    expect((await stage.ledger.sightings([subject])).get(subjectKey(subject))).toMatchObject({ state: "reconciled" });
    expect(await stage.sweep({ graceSeconds: 0 })).toEqual({ ...nothing, tenants: 3 });
  });
});
