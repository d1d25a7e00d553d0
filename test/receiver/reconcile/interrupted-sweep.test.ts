import { describe, expect, test } from "vitest";
import { tenantEventKey } from "../../../src/receiver/ledger/ledger.ts";
import { createTenant } from "../../emulator/running-emulator.ts";
import { nothingFound, startWithBaseline } from "./test-platform.ts";

describe("a sweep", () => {
  const steps = [
    "baselineCompletedAt",
    "findObservations",
    "putObservation noticed",
    "putObservation reconciling",
    "putIfAbsent",
    "publish",
    "updateStatus",
    "putObservation reconciled",
  ];
  const interruptions = steps.flatMap((step, number) => [
    { step, number, moment: "before" } as const,
    { step, number, moment: "after" } as const,
  ]);

  test("takes these steps for a tenant without a webhook", async () => {
    const platform = await startWithBaseline();
    await platform.whileDown(() => createTenant(platform.emulator));
    platform.calls.length = 0;
    await platform.sweep({ graceSeconds: 0 });
    expect(platform.calls).toEqual(steps);
  });

  test.each(interruptions)(
    "interrupted $moment $step is finished by the next one, under the same ingest id",
    async ({ step, number, moment }) => {
      const platform = await startWithBaseline();
      const id = await platform.whileDown(() => createTenant(platform.emulator));
      platform.failAt(number, moment);
      await expect(platform.sweep({ graceSeconds: 0 })).rejects.toThrow();
      platform.failAt();
      await platform.sweep({ graceSeconds: 0 });
      const ingestIds = new Set(platform.published.map(({ detail }) => detail.ingestId));
      expect(ingestIds.size).toBe(1);
      const isBetween = ["after publish", "before updateStatus"].includes(`${moment} ${step}`);
      expect(platform.published).toHaveLength(isBetween ? 2 : 1);
      expect(await platform.ledger.find([...ingestIds].join())).toMatchObject({ status: "published" });
      const event = { tenantId: id, eventKind: "created" } as const;
      expect((await platform.ledger.findObservations([event])).get(tenantEventKey(event))).toMatchObject({
        state: "reconciled",
      });
      expect(await platform.sweep({ graceSeconds: 0 })).toEqual({ ...nothingFound, tenants: 3 });
    },
  );
});
