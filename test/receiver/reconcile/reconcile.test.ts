import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { createClient } from "../../../src/api/index.ts";
import type { LogEntry } from "../../../src/receiver/log.ts";
import { reconcile } from "../../../src/receiver/reconcile/reconcile.ts";
import { silentQueue } from "../../aws/queues.ts";
import { call, createTenant, install } from "../../emulator/running-emulator.ts";
import { archive, deliver, nothingFound, publishedEvents, startPlatform, startWithBaseline } from "./test-platform.ts";

describe("a sweep", () => {
  test("finds nothing if every webhook arrived", async () => {
    const platform = await startWithBaseline();
    const id = await createTenant(platform.emulator);
    await install(platform.emulator);
    await archive(platform, id);
    await platform.settled();
    expect(platform.byWebhook).toHaveLength(3);
    expect(await platform.sweep({ graceSeconds: 0 })).toEqual({ ...nothingFound, tenants: 4 });
    expect(platform.published).toEqual([]);
  });

  test("waits for a webhook, and then publishes the event in its place once", async () => {
    const platform = await startWithBaseline();
    const id = await platform.whileDown(() => createTenant(platform.emulator, { name: "lost" }));
    await platform.emulator.advance({ seconds: 10 });
    expect(await platform.sweep()).toEqual({ ...nothingFound, tenants: 3, waiting: 1 });
    await platform.emulator.advance({ seconds: 899 });
    expect(await platform.sweep()).toEqual({ ...nothingFound, tenants: 3, waiting: 1 });
    await platform.emulator.advance({ seconds: 1 });
    expect(await platform.sweep()).toEqual({ ...nothingFound, tenants: 3, reconciled: 1 });
    expect(await platform.sweep()).toEqual({ ...nothingFound, tenants: 3 });

    const event = {
      event_type: "new_tenant_created",
      timestamp: "2026-06-01T00:00:00.000Z",
      tenant_id: id,
      tenant_name: "lost",
      integration_id: 101,
      integration_name: "CRM to billing",
    };
    const detail = { reconciled: true, receivedAt: "2026-06-01T00:15:10.000Z", isWhole: true, problems: [], event };
    expect(platform.published).toEqual([
      { detailType: "new_tenant_created", detail: { ...detail, ingestId: expect.any(String) } },
    ]);
    const record = await platform.ledger.find(platform.published[0]?.detail.ingestId ?? "");
    expect(record).toMatchObject({ status: "published", reconciled: true, kind: "known" });
    expect(JSON.parse(Buffer.from(record?.body ?? "").toString())).toEqual(event);
  });

  test("publishes a tenant's creation before its archiving, which gets the time of the first sight", async () => {
    const platform = await startWithBaseline();
    const id = await platform.whileDown(async () => {
      const created = await createTenant(platform.emulator);
      await platform.emulator.advance({ seconds: 60 });
      await archive(platform, created);
      return created;
    });
    await platform.emulator.advance({ seconds: 60 });
    expect(await platform.sweep({ graceSeconds: 0 })).toMatchObject({ reconciled: 2 });
    expect(publishedEvents(platform)).toEqual([
      ["new_tenant_created", id],
      ["tenant_archived", id],
    ]);
    expect(platform.published.map(({ detail }) => detail.event?.timestamp)).toEqual([
      "2026-06-01T00:00:00.000Z",
      "2026-06-01T00:02:00.000Z",
    ]);
  });

  test("publishes the archiving of a tenant whose creation a webhook reported, or that belongs to the baseline", async () => {
    const platform = await startWithBaseline();
    const id = await createTenant(platform.emulator);
    await platform.whileDown(async () => {
      await archive(platform, id);
      await archive(platform, 5001);
    });
    await platform.sweep({ graceSeconds: 0 });
    expect(publishedEvents(platform)).toEqual([
      ["tenant_archived", 5001],
      ["tenant_archived", id],
    ]);
  });

  test("publishes the archiving of a tenant of the baseline if the platform keeps the date of its last change", async () => {
    const platform = await startPlatform();
    await platform.whileDown(() => createTenant(platform.emulator, { name: "early" }));
    await platform.emulator.advance({ seconds: 3600 });
    await platform.sweep();
    const listed = async (query = "") =>
      z
        .tuple([z.looseObject({ id: z.int(), modified_date: z.string() })])
        .parse((await call(platform.emulator, "GET", `/v2/tenants${query}`)).body);
    const [early] = await listed();
    await platform.whileDown(() => archive(platform, early.id));
    const [archived] = await listed("?archived=true");
    const body = [{ ...archived, modified_date: early.modified_date }];
    const match = { path: "^/v2/tenants$", query: "archived=true" };
    platform.emulator.fault({ kind: "status", status: 200, body, times: 99, match });
    await platform.sweep({ graceSeconds: 0 });
    expect(publishedEvents(platform)).toEqual([["tenant_archived", early.id]]);
  });

  test("publishes nothing if the webhook arrives within the grace period", async () => {
    const platform = await startWithBaseline();
    const id = await platform.whileDown(() => createTenant(platform.emulator));
    await platform.sweep();
    await deliver(platform, "new_tenant_created", { tenant_id: id });
    await platform.emulator.advance({ seconds: 86_400 });
    expect(await platform.sweep()).toEqual({ ...nothingFound, tenants: 3 });
    expect(platform.published).toEqual([]);
    expect(platform.byWebhook).toHaveLength(1);
  });

  test.each([
    { archivedList: "along" },
    { absentField: "archived" },
    { absentField: "archived", archivedList: "along" },
    { sorting: "refuse" },
    { defaults: "absent" },
  ] as const)("finds the same events on a platform with %j", async (variants) => {
    const platform = await startWithBaseline({ variants });
    const [lost, gone] = await platform.whileDown(async () => {
      const ids = [await createTenant(platform.emulator), await createTenant(platform.emulator)] as const;
      await archive(platform, ids[1]);
      return ids;
    });
    await platform.sweep({ graceSeconds: 0 });
    await platform.sweep({ graceSeconds: 0 });
    const expected = [`new_tenant_created ${lost}`, `new_tenant_created ${gone}`, `tenant_archived ${gone}`];
    expect(
      publishedEvents(platform)
        .map((parts) => parts.join(" "))
        .sort(),
    ).toEqual(expected);
  });

  test("over many pages finds every missing webhook, and no other", async () => {
    const tenants = Array.from({ length: 1_100 }, (_, index) => ({
      id: index + 1,
      integration: "one",
      name: `t${index}`,
      archived: index % 10 === 0,
    }));
    const platform = await startPlatform({ seed: { integrations: [{ id: 101, name: "one" }], tenants } });
    expect(await platform.sweep()).toMatchObject({ tenants: 1_100, isBaseline: true });
    const created = await platform.whileDown(async () => {
      for (const id of [2, 500, 1_000]) await archive(platform, id);
      return createTenant(platform.emulator);
    });
    expect(await platform.sweep({ graceSeconds: 0 })).toMatchObject({ tenants: 1_101, reconciled: 4 });
    expect(new Set(publishedEvents(platform).map(([, id]) => id))).toEqual(new Set([2, 500, 1_000, created]));
  });

  test.each([
    { kind: "status", status: 403 },
    { kind: "status", status: 404 },
    { kind: "html" },
    { kind: "cut-middle" },
  ] as const)("that gets %j instead of the list fails and publishes nothing", async (fault) => {
    const platform = await startWithBaseline();
    await platform.whileDown(() => createTenant(platform.emulator));
    platform.emulator.fault({ ...fault, times: 2, match: { path: "^/v2/tenants" } });
    await expect(platform.sweep({ graceSeconds: 0 })).rejects.toThrow("GET /v2/tenants");
    expect(platform.published).toEqual([]);
    platform.emulator.clearFaults();
    expect(await platform.sweep({ graceSeconds: 0 })).toMatchObject({ reconciled: 1 });
  });

  test("that cannot read the integrations for a while publishes with the next sweep", async () => {
    const platform = await startWithBaseline();
    await platform.whileDown(async () => void (await createTenant(platform.emulator)));
    platform.emulator.fault({ kind: "status", status: 503, times: 100, match: { path: "^/v2/integrations" } });
    await expect(platform.sweep({ graceSeconds: 0 })).rejects.toThrow("could not be reconciled");
    expect(platform.published).toEqual([]);
    platform.emulator.clearFaults();
    await platform.sweep({ graceSeconds: 0 });
    expect(platform.published).toMatchObject([{ detail: { event: { integration_name: expect.any(String) } } }]);
  });

  test.each([403, 404])(
    "to which the platform refuses the integrations (%i) publishes without their names, and warns once",
    async (status) => {
      const platform = await startWithBaseline();
      await platform.whileDown(async () => {
        for (let count = 0; count < 3; count += 1) await createTenant(platform.emulator);
      });
      platform.emulator.fault({ kind: "status", status, times: 100, match: { path: "^/v2/integrations" } });
      const logged: LogEntry[] = [];
      const log = (entry: LogEntry) => void logged.push(entry);
      expect(await platform.sweep({ graceSeconds: 0, log })).toMatchObject({ reconciled: 3 });
      expect(platform.published).toHaveLength(3);
      for (const { detail } of platform.published) {
        expect(detail).toMatchObject({ isWhole: true, problems: [], event: { integration_id: 101 } });
        expect(detail.event).not.toHaveProperty("integration_name");
      }
      const warnings = logged.filter(({ message }) => message === "events have no integration name");
      expect(warnings).toEqual([
        { level: "warn", message: expect.any(String), error: expect.objectContaining({ name: expect.any(String) }) },
      ]);
      expect(await platform.sweep({ graceSeconds: 0 })).toEqual({ ...nothingFound, tenants: 5 });
    },
  );

  test("ends at once while another one runs, and the next one runs", async () => {
    const platform = await startWithBaseline();
    await platform.whileDown(async () => {
      for (let count = 0; count < 5; count += 1) await createTenant(platform.emulator);
    });
    const results = await Promise.all([platform.sweep({ graceSeconds: 0 }), platform.sweep({ graceSeconds: 0 })]);
    expect(results).toContain(undefined);
    expect(platform.published).toHaveLength(5);
    expect(await platform.sweep({ graceSeconds: 0 })).toEqual({ ...nothingFound, tenants: 7 });
  });

  test("whose function died blocks others for as long as a function may run, and no longer", async () => {
    const platform = await startWithBaseline();
    const dead = new Date(platform.now()).toISOString();
    await platform.ledger.reserveSweep(dead, new Date(platform.now() + 900_000).toISOString());
    await platform.emulator.advance({ seconds: 899 });
    expect(await platform.sweep()).toBeUndefined();
    await platform.emulator.advance({ seconds: 1 });
    expect(await platform.sweep()).toMatchObject({ tenants: 2 });
  });

  test("that finds more than it may publish publishes nothing and names the events, until an operator allows them", async () => {
    const platform = await startWithBaseline();
    const ids = await platform.whileDown(async () => {
      const created: number[] = [];
      for (let count = 0; count < 3; count += 1) created.push(await createTenant(platform.emulator));
      return created;
    });
    const logged: LogEntry[] = [];
    const log = (entry: LogEntry) => void logged.push(entry);
    const found = { ...nothingFound, tenants: 5 };
    expect(await platform.sweep({ graceSeconds: 0, maximumEvents: 2, log })).toEqual({ ...found, withheld: 3 });
    expect(platform.published).toEqual([]);
    const withheld = logged.filter(({ message }) => message === "event withheld");
    expect(withheld.map(({ tenantId, eventKind }) => [tenantId, eventKind])).toEqual(ids.map((id) => [id, "created"]));
    expect(logged.at(-1)?.metrics).toEqual({ SweepsCompleted: 1, EventsWithheld: 3 });
    expect(await platform.sweep({ graceSeconds: 0, maximumEvents: 3 })).toEqual({ ...found, reconciled: 3 });
    expect(publishedEvents(platform).map(([, id]) => id)).toEqual(ids);
  });

  test("does not publish a burst of 400 archivings that one wrong list shows", async () => {
    const tenants = Array.from({ length: 400 }, (_, index) => ({
      id: index + 1,
      integration: "one",
      name: `t${index}`,
    }));
    const platform = await startPlatform({ seed: { integrations: [{ id: 101, name: "one" }], tenants } });
    await platform.sweep();
    const body = tenants.map(({ id, name }) => ({ id, name, archived: true }));
    const match = { path: "^/v2/tenants$", query: "archived=true" };
    platform.emulator.fault({ kind: "status", status: 200, body, times: 1, match });
    const empty = { path: "^/v2/tenants$" };
    platform.emulator.fault({ kind: "status", status: 200, body: [], times: 9, match: empty });
    expect(await platform.sweep({ graceSeconds: 0 })).toMatchObject({ reconciled: 0, withheld: 400 });
    expect(platform.published).toEqual([]);
  });

  test("ends with the cause if a page of the list hangs, long before its function's limit", async () => {
    const platform = await startWithBaseline();
    await using hanging = await silentQueue();
    const client = createClient({ baseUrl: hanging.url, apiKey: "k", callTimeoutSeconds: 0.1, maxAttempts: 1 });
    onTestFinished(() => client.close());
    const logged: LogEntry[] = [];
    const log = (entry: LogEntry) => void logged.push(entry);
    await expect(reconcile({ ...platform, client, log })).rejects.toThrow(/GET \/v2\/tenants.*no complete response/s);
    expect(logged).toEqual([]);
    expect(await platform.sweep()).toMatchObject({ tenants: 2 }); // it released the sweep
  });

  test("that cannot publish one event publishes the others, fails, and leaves it to the next sweep", async () => {
    const platform = await startWithBaseline();
    await platform.whileDown(async () => {
      for (let count = 0; count < 3; count += 1) await createTenant(platform.emulator);
    });
    await platform.sweep();
    await platform.emulator.advance({ seconds: 900 });
    platform.failAt(4);
    await expect(platform.sweep()).rejects.toThrow("1 of 3 could not be reconciled; the next sweep retries them");
    expect(platform.published.length).toBeGreaterThanOrEqual(2);
    platform.failAt();
    await platform.sweep();
    expect(new Set(publishedEvents(platform).map(([, id]) => id)).size).toBe(3);
  });
});

describe("a webhook that arrives after its event was reconciled", () => {
  afterEach(() => void vi.unstubAllEnvs());

  test("is stored as late and not published again", async () => {
    const platform = await startWithBaseline();
    const id = await platform.whileDown(async () => {
      const created = await createTenant(platform.emulator);
      await archive(platform, created);
      return created;
    });
    await platform.sweep({ graceSeconds: 0 });
    const event = { tenant_id: id, timestamp: "2026-06-01T00:00:00Z" };
    await deliver(platform, "new_tenant_created", event);
    await deliver(platform, "tenant_archived", event);
    expect(platform.byWebhook).toEqual([]);
    const consumed = platform.logged.filter(({ message }) => message === "webhook consumed");
    expect(consumed).toMatchObject([{ status: "late" }, { status: "late" }]);
    for (const { ingestId } of consumed) {
      expect(await platform.ledger.find(String(ingestId))).toMatchObject({ status: "late", reconciled: false });
    }
  });

  test("is also late if its time has no offset, which means UTC", async () => {
    vi.stubEnv("TZ", "America/New_York");
    const platform = await startWithBaseline();
    await platform.whileDown(() => archive(platform, 5001));
    await platform.sweep({ graceSeconds: 0 });
    await deliver(platform, "tenant_archived", { tenant_id: 5001, timestamp: "2026-06-01T00:00:00.000" });
    expect(platform.byWebhook).toEqual([]);
  });

  test("is another event if it reports a later archiving", async () => {
    const platform = await startWithBaseline();
    await platform.whileDown(() => archive(platform, 5001));
    await platform.sweep({ graceSeconds: 0 });
    await platform.emulator.advance({ seconds: 3_600 });
    await call(platform.emulator, "PATCH", "/_emulator/tenants/5001", { archived: false });
    await archive(platform, 5001);
    await platform.settled();
    expect(platform.byWebhook).toMatchObject([{ detailType: "tenant_archived", detail: { reconciled: false } }]);
  });
});
