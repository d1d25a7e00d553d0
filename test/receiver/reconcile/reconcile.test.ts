import { describe, expect, test } from "vitest";
import { call, createTenant, install } from "../../emulator/running-emulator.ts";
import { afterStock, archive, deliver, nothing, stageSweeps, told } from "./staged-sweeps.ts";

describe("a sweep", () => {
  test("finds nothing where every webhook came", async () => {
    const stage = await afterStock();
    const id = await createTenant(stage.emulator);
    await install(stage.emulator);
    await archive(stage, id);
    await stage.settled();
    expect(stage.byWebhook).toHaveLength(3);
    expect(await stage.sweep({ graceSeconds: 0 })).toEqual({ ...nothing, tenants: 4 });
    expect(stage.published).toEqual([]);
  });

  test("gives a webhook time, then tells of the tenant in its place, once", async () => {
    const stage = await afterStock();
    const id = await stage.whileDown(() => createTenant(stage.emulator, { name: "lost" }));
    await stage.emulator.advance({ seconds: 10 });
    expect(await stage.sweep()).toEqual({ ...nothing, tenants: 3, waiting: 1 });
    await stage.emulator.advance({ seconds: 899 });
    expect(await stage.sweep()).toEqual({ ...nothing, tenants: 3, waiting: 1 });
    await stage.emulator.advance({ seconds: 1 });
    expect(await stage.sweep()).toEqual({ ...nothing, tenants: 3, reconciled: 1 });
    expect(await stage.sweep()).toEqual({ ...nothing, tenants: 3 });

    const event = {
      event_type: "new_tenant_created",
      timestamp: "2026-06-01T00:00:00.000Z",
      tenant_id: id,
      tenant_name: "lost",
      integration_id: 101,
      integration_name: "CRM to billing",
    };
    const detail = { reconciled: true, receivedAt: "2026-06-01T00:15:10.000Z", isWhole: true, problems: [], event };
    expect(stage.published).toEqual([
      { detailType: "new_tenant_created", detail: { ...detail, ingestId: expect.any(String) } },
    ]);
    const record = await stage.ledger.find(stage.published[0]?.detail.ingestId ?? "");
    expect(record).toMatchObject({ status: "published", reconciled: true, kind: "known" });
    expect(JSON.parse(Buffer.from(record?.body ?? "").toString())).toEqual(event);
  });

  test("tells of a tenant's beginning before its end, and of the end when it was first seen", async () => {
    const stage = await afterStock();
    const id = await stage.whileDown(async () => {
      const created = await createTenant(stage.emulator);
      await stage.emulator.advance({ seconds: 60 });
      await archive(stage, created);
      return created;
    });
    await stage.emulator.advance({ seconds: 60 });
    expect(await stage.sweep({ graceSeconds: 0 })).toMatchObject({ reconciled: 2 });
    expect(told(stage)).toEqual([
      ["new_tenant_created", id],
      ["tenant_archived", id],
    ]);
    expect(stage.published.map(({ detail }) => detail.event?.timestamp)).toEqual([
      "2026-06-01T00:00:00.000Z",
      "2026-06-01T00:02:00.000Z",
    ]);
  });

  test("tells of the end of a tenant whose beginning a webhook told of, or the first sweep took as given", async () => {
    const stage = await afterStock();
    const id = await createTenant(stage.emulator);
    await stage.whileDown(async () => {
      await archive(stage, id);
      await archive(stage, 5001);
    });
    await stage.sweep({ graceSeconds: 0 });
    expect(told(stage)).toEqual([
      ["tenant_archived", 5001],
      ["tenant_archived", id],
    ]);
  });

  test("says nothing where the webhook comes while it is given time", async () => {
    const stage = await afterStock();
    const id = await stage.whileDown(() => createTenant(stage.emulator));
    await stage.sweep();
    await deliver(stage, "new_tenant_created", { tenant_id: id });
    await stage.emulator.advance({ seconds: 86_400 });
    expect(await stage.sweep()).toEqual({ ...nothing, tenants: 3 });
    expect(stage.published).toEqual([]);
    expect(stage.byWebhook).toHaveLength(1);
  });

  test.each([{ archivedList: "along" }, { sorting: "refuse" }, { nulls: "absent" }] as const)(
    "finds the same on a platform with %j",
    async (variants) => {
      const stage = await afterStock({ variants });
      const [lost, gone] = await stage.whileDown(async () => {
        const ids = [await createTenant(stage.emulator), await createTenant(stage.emulator)] as const;
        await archive(stage, ids[1]);
        return ids;
      });
      await stage.sweep({ graceSeconds: 0 });
      await stage.sweep({ graceSeconds: 0 });
      const happened = [`new_tenant_created ${lost}`, `new_tenant_created ${gone}`, `tenant_archived ${gone}`];
      expect(
        told(stage)
          .map((parts) => parts.join(" "))
          .sort(),
      ).toEqual(happened);
    },
  );

  test("over many pages finds each that is missing, and no other", async () => {
    const tenants = Array.from({ length: 1_100 }, (_, index) => ({
      id: index + 1,
      integration: "one",
      name: `t${index}`,
      archived: index % 10 === 0,
    }));
    const stage = await stageSweeps({ seed: { integrations: [{ id: 101, name: "one" }], tenants } });
    expect(await stage.sweep()).toMatchObject({ tenants: 1_100, isStockTaking: true });
    const created = await stage.whileDown(async () => {
      for (const id of [2, 500, 1_000]) await archive(stage, id);
      return createTenant(stage.emulator);
    });
    expect(await stage.sweep({ graceSeconds: 0 })).toMatchObject({ tenants: 1_101, reconciled: 4 });
    expect(new Set(told(stage).map(([, id]) => id))).toEqual(new Set([2, 500, 1_000, created]));
  });

  test.each([
    { kind: "status", status: 403 },
    { kind: "status", status: 404 },
    { kind: "html" },
    { kind: "cut-middle" },
  ] as const)("that gets %j instead of the list fails and tells of nothing", async (fault) => {
    const stage = await afterStock();
    await stage.whileDown(() => createTenant(stage.emulator));
    stage.emulator.fault({ ...fault, times: 2, match: { path: "^/v2/tenants" } });
    await expect(stage.sweep({ graceSeconds: 0 })).rejects.toThrow("GET /v2/tenants");
    expect(stage.published).toEqual([]);
    stage.emulator.clearFaults();
    expect(await stage.sweep({ graceSeconds: 0 })).toMatchObject({ reconciled: 1 });
  });

  test("beside another tells of each thing under one id", async () => {
    const stage = await afterStock();
    await stage.whileDown(async () => {
      for (let count = 0; count < 5; count += 1) await createTenant(stage.emulator);
    });
    await Promise.all([stage.sweep({ graceSeconds: 0 }), stage.sweep({ graceSeconds: 0 })]);
    const ids = new Set(stage.published.map(({ detail }) => `${detail.ingestId} ${detail.event?.tenant_id}`));
    expect(ids.size).toBe(5);
    expect(await stage.sweep({ graceSeconds: 0 })).toEqual({ ...nothing, tenants: 7 });
  });

  test("with one tenant that cannot be told of tells of the others, fails, and leaves it to the next", async () => {
    const stage = await afterStock();
    await stage.whileDown(async () => {
      for (let count = 0; count < 3; count += 1) await createTenant(stage.emulator);
    });
    await stage.sweep();
    await stage.emulator.advance({ seconds: 900 });
    stage.failAt(4);
    await expect(stage.sweep()).rejects.toThrow("1 of 5 could not be reconciled; the next sweep goes on");
    expect(stage.published.length).toBeGreaterThanOrEqual(2);
    stage.failAt();
    await stage.sweep();
    expect(new Set(told(stage).map(([, id]) => id)).size).toBe(3);
  });
});

describe("a webhook after its reconciled event", () => {
  test("is in the ledger, marked as late, and not on the bus a second time", async () => {
    const stage = await afterStock();
    const id = await stage.whileDown(async () => {
      const created = await createTenant(stage.emulator);
      await archive(stage, created);
      return created;
    });
    await stage.sweep({ graceSeconds: 0 });
    const event = { tenant_id: id, timestamp: "2026-06-01T00:00:00Z" };
    await deliver(stage, "new_tenant_created", event);
    await deliver(stage, "tenant_archived", event);
    expect(stage.byWebhook).toEqual([]);
    const consumed = stage.logged.filter(({ message }) => message === "webhook consumed");
    expect(consumed).toMatchObject([{ status: "late" }, { status: "late" }]);
    for (const { ingestId } of consumed) {
      expect(await stage.ledger.find(String(ingestId))).toMatchObject({ status: "late", reconciled: false });
    }
  });

  test("about a later archiving is another event", async () => {
    const stage = await afterStock();
    await stage.whileDown(() => archive(stage, 5001));
    await stage.sweep({ graceSeconds: 0 });
    await stage.emulator.advance({ seconds: 3_600 });
    await call(stage.emulator, "PATCH", "/_emulator/tenants/5001", { archived: false });
    await archive(stage, 5001);
    await stage.settled();
    expect(stage.byWebhook).toMatchObject([{ detailType: "tenant_archived", detail: { reconciled: false } }]);
  });
});
