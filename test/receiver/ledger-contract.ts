import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  type Ledger,
  type LedgerRecord,
  type ListedRecord,
  type RecordQuery,
  type TenantEvent,
  tenantEventKey,
} from "../../src/receiver/ledger/ledger.ts";

/** The tests that every implementation of the ledger must pass. `open` returns a ledger, which need not be empty. */
export function ledgerContract(name: string, open: () => Promise<Ledger>): void {
  describe(`a ledger (${name})`, () => {
    describe("of records", () => {
      test("returns a record whole", async () => {
        const ledger = await open();
        const body = Buffer.from('{"event_type":"run_failed"}');
        const record = newRecord({ tenantId: 5001, runId: 9_007_199_254_740_991, body });
        expect(await ledger.putIfAbsent(record)).toBe("received");
        expect(await ledger.find(record.ingestId)).toEqual({ ...matching(record), status: "received" });
      });

      test("returns undefined for an unknown ingest id", async () => {
        expect(await (await open()).find(randomUUID())).toBeUndefined();
      });

      test.each([
        ["that is empty", Buffer.alloc(0)],
        ["of several kilobytes of text", Buffer.from("é".repeat(2_000))],
        ["of a null character", Buffer.from("\u0000")],
        ["that is not UTF-8", Buffer.from([0xff, 0x00, 0xfe])],
        ["of a mebibyte of text", Buffer.from("text ".repeat(209_000))],
        ["of a mebibyte that cannot be compressed", randomBytes(786_000)],
        ["of a mebibyte of text that can hardly be compressed", Buffer.from(randomBytes(780_000).toString("base64"))],
      ])("preserves every byte of a body %s", async (_, body) => {
        const ledger = await open();
        const record = newRecord({ body });
        await ledger.putIfAbsent(record);
        const stored = await ledger.find(record.ingestId);
        expect(Buffer.from(stored?.body ?? []).equals(body)).toBe(true);
      });

      test("does not overwrite a record with the same ingest id, and returns its status", async () => {
        const ledger = await open();
        const record = newRecord();
        await ledger.putIfAbsent(record);
        const another = { ...record, kind: "malformed", body: Buffer.from("another") };
        expect(await ledger.putIfAbsent(another)).toBe("received");
        await ledger.updateStatus(record, "published");
        expect(await ledger.putIfAbsent(another)).toBe("published");
        expect(await ledger.find(record.ingestId)).toEqual({ ...matching(record), status: "published" });
      });

      test("stores one of several concurrent records with the same ingest id", async () => {
        const ledger = await open();
        const record = newRecord();
        const bodies = Array.from({ length: 8 }, (_, index) => Buffer.from(`body ${index}`));
        const statuses = await Promise.all(bodies.map((body) => ledger.putIfAbsent({ ...record, body })));
        expect(statuses).toEqual(bodies.map(() => "received"));
        const stored = await ledger.find(record.ingestId);
        expect(bodies.map(String)).toContain(Buffer.from(stored?.body ?? []).toString());
      });

      test("accepts a record without optional fields", async () => {
        const ledger = await open();
        const { ingestId, receivedAt, body } = newRecord();
        const record = { ingestId, receivedAt, reconciled: true, kind: "not JSON", body };
        await ledger.putIfAbsent(record);
        await ledger.updateStatus(record, "late");
        expect(await ledger.find(ingestId)).toEqual({ ...matching(record), status: "late" });
      });

      test("refuses to update the status of an unknown record", async () => {
        const ledger = await open();
        const record = newRecord();
        await expect(ledger.updateStatus(record, "published")).rejects.toThrow();
        expect(await ledger.find(record.ingestId)).toBeUndefined();
      });
    });

    describe("of records by time", () => {
      test("lists records without their bodies, with their status, the newest first", async () => {
        const ledger = await open();
        const day = randomDay();
        const times = [`${day}T08:00:00.000Z`, `${day}T08:00:00.001Z`, `${day}T23:59:59.999Z`];
        const records = times.map((receivedAt) => newRecord({ receivedAt, tenantId: 5001, runId: 77 }));
        const { ingestId, receivedAt } = newRecord({ receivedAt: `${day}T12:00:00.000Z` });
        const [first, second, last] = records;
        if (first === undefined || second === undefined || last === undefined) throw new Error("three records");
        const bare = { ingestId, receivedAt, reconciled: true, kind: "not JSON" };
        for (const record of [last, first, { ...bare, body: randomBytes(120_000) }, second]) {
          await ledger.putIfAbsent(record);
        }
        await ledger.updateStatus(second, "published");

        const listed = await listOf(ledger, { since: `${day}T00:00:00.000Z`, until: `${day}T23:59:59.999Z` });
        expect(listed).toEqual([
          { ...withoutBody(last), status: "received" },
          { ...bare, status: "received" },
          { ...withoutBody(second), status: "published" },
          { ...withoutBody(first), status: "received" },
        ]);
      });

      test("lists only the records of a period, which may have several days; both ends belong to it", async () => {
        const ledger = await open();
        const times = ["2024-02-27T23:59:59.999Z", "2024-02-28T00:00:00.000Z", "2024-02-29T12:00:00.000Z"];
        const later = ["2024-03-01T00:00:00.000Z", "2024-03-01T00:00:00.001Z"];
        for (const receivedAt of [...times, ...later]) await ledger.putIfAbsent(newRecord({ receivedAt }));
        const timesOf = async (query: RecordQuery) => (await listOf(ledger, query)).map(({ receivedAt }) => receivedAt);
        const period = { since: "2024-02-28T00:00:00.000Z", until: "2024-03-01T00:00:00.000Z" };
        expect(new Set(await timesOf(period))).toEqual(new Set([later[0], times[2], times[1]]));
        expect(await timesOf({ since: "2024-02-29T12:00:00.001Z", until: "2024-02-29T23:00:00.000Z" })).toEqual([]);
        expect(await timesOf({ since: period.until, until: period.since })).toEqual([]);
      });

      test("lists up to the present by default", async () => {
        const ledger = await open();
        const record = newRecord({ receivedAt: new Date().toISOString() });
        await ledger.putIfAbsent(record);
        const listed = await listOf(ledger, { since: record.receivedAt });
        expect(listed.map(({ ingestId }) => ingestId)).toContain(record.ingestId);
      });

      test("lists the records of a type, of a tenant, and of both", async () => {
        const ledger = await open();
        const day = randomDay();
        const records = [
          newRecord({ receivedAt: `${day}T01:00:00.000Z`, eventType: "run_failed", tenantId: 1 }),
          newRecord({ receivedAt: `${day}T02:00:00.000Z`, eventType: "run_failed", tenantId: 2 }),
          newRecord({ receivedAt: `${day}T03:00:00.000Z`, eventType: "tenant_archived", tenantId: 2 }),
          newRecord({ receivedAt: `${day}T04:00:00.000Z`, eventType: undefined }),
        ];
        for (const record of records) await ledger.putIfAbsent(record);
        const period = { since: `${day}T00:00:00.000Z`, until: `${day}T23:59:59.999Z` };
        const hoursOf = async (query: Partial<RecordQuery>) =>
          (await listOf(ledger, { ...period, ...query })).map(({ receivedAt }) => Number(receivedAt.slice(11, 13)));
        expect(await hoursOf({})).toEqual([4, 3, 2, 1]);
        expect(await hoursOf({ eventType: "run_failed" })).toEqual([2, 1]);
        expect(await hoursOf({ tenantId: 2 })).toEqual([3, 2]);
        expect(await hoursOf({ eventType: "run_failed", tenantId: 2 })).toEqual([2]);
        expect(await hoursOf({ eventType: "run_failed", tenantId: 3 })).toEqual([]);
      });

      test("lists more records than a page has, each once", async () => {
        const ledger = await open();
        const day = randomDay();
        // DynamoDB's pages have a mebibyte, and those of the local ledger 500 records.
        const eventType = "x".repeat(2_000);
        const records = Array.from({ length: 1_100 }, (_, index) => {
          return newRecord({ receivedAt: `${day}T00:00:${String(index % 60).padStart(2, "0")}.000Z`, eventType });
        });
        await Promise.all(records.map((record) => ledger.putIfAbsent(record)));
        const listed = await listOf(ledger, { since: `${day}T00:00:00.000Z`, until: `${day}T23:59:59.999Z` });
        expect(listed).toHaveLength(records.length);
        expect(listed.map(({ ingestId }) => ingestId).sort()).toEqual(records.map(({ ingestId }) => ingestId).sort());
        const times = listed.map(({ receivedAt }) => receivedAt);
        expect(times).toEqual(times.toSorted().reverse());
      });
    });

    describe("of observations", () => {
      const at = "2026-03-04T05:06:07.000Z";

      test("stores the first observation of an event, and returns it to later writers", async () => {
        const ledger = await open();
        const event = newTenantEvent();
        const webhook = { state: "webhook", at, ingestId: randomUUID() } as const;
        expect(await ledger.putObservation(event, webhook, [])).toBeUndefined();
        expect(await ledger.putObservation(event, { state: "baseline", at }, [])).toEqual(webhook);
        expect(await ledger.putObservation(event, { state: "baseline", at }, ["noticed", "baseline"])).toEqual(webhook);
        expect(await observationOf(ledger, event)).toEqual(webhook);
      });

      test("replaces an observation with a replaceable state", async () => {
        const ledger = await open();
        const event = newTenantEvent();
        await ledger.putObservation(event, { state: "noticed", at }, []);
        const reconciling = { state: "reconciling", at, ingestId: randomUUID() } as const;
        expect(await ledger.putObservation(event, reconciling, ["baseline", "noticed"])).toBeUndefined();
        expect(await ledger.putObservation(event, { state: "webhook", at }, ["noticed"])).toEqual(reconciling);
        expect(await observationOf(ledger, event)).toEqual(reconciling);
      });

      test("stores one of several concurrent observations, and returns it to the other writers", async () => {
        const ledger = await open();
        const event = newTenantEvent();
        await ledger.putObservation(event, { state: "noticed", at }, []);
        const claims = Array.from({ length: 8 }, () => ({ state: "reconciling", at, ingestId: randomUUID() }) as const);
        const results = await Promise.all(claims.map((claim) => ledger.putObservation(event, claim, ["noticed"])));
        const winner = await observationOf(ledger, event);
        expect(results.filter((result) => result === undefined)).toHaveLength(1);
        expect(results.filter((result) => result !== undefined)).toEqual(Array.from({ length: 7 }, () => winner));
        expect(claims[results.indexOf(undefined)]).toEqual(winner);
      });

      test("distinguishes the creation of a tenant from its archiving, and one tenant from another", async () => {
        const ledger = await open();
        const { tenantId } = newTenantEvent();
        await ledger.putObservation({ tenantId, eventKind: "created" }, { state: "baseline", at }, []);
        const others = [
          { tenantId, eventKind: "archived" },
          { tenantId: tenantId + 1, eventKind: "created" },
        ] as const;
        expect(await ledger.findObservations(others)).toEqual(new Map());
      });

      test("finds the observations of many events, and omits events without one", async () => {
        const ledger = await open();
        const { tenantId } = newTenantEvent();
        const events = Array.from({ length: 250 }, (_, index) => {
          return { tenantId: tenantId + index, eventKind: "created" } as const;
        });
        const observed = events.filter((_, index) => index % 3 === 0);
        await Promise.all(observed.map((event) => ledger.putObservation(event, { state: "baseline", at }, [])));
        const observations = await ledger.findObservations(events);
        expect([...observations.keys()].sort()).toEqual(observed.map(tenantEventKey).sort());
        expect(new Set([...observations.values()].map(({ state }) => state))).toEqual(new Set(["baseline"]));
        expect(await ledger.findObservations([])).toEqual(new Map());
      });
    });

    test("reserves the sweep for one at a time, until it is released or expires", async () => {
      const ledger = await open();
      const [now, later, latest] = ["2199-03-04T05:00:00.000Z", "2199-03-04T05:15:00.000Z", "2199-03-04T05:30:00.000Z"];
      const claims = await Promise.all([1, 2, 3].map(() => ledger.reserveSweep(now, later)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await ledger.reserveSweep(later, latest)).toBe(true); // the first has expired
      expect(await ledger.reserveSweep(later, now)).toBe(false); // and can no longer release it
      expect(await ledger.reserveSweep(latest, later)).toBe(true); // released
      expect(await ledger.reserveSweep(later, latest)).toBe(true);
      await ledger.reserveSweep(latest, now);
    });

    test("remembers when the baseline was completed", async () => {
      const ledger = await open();
      await ledger.completeBaseline("2026-03-04T05:06:07.000Z");
      expect(await ledger.baselineCompletedAt()).toBe("2026-03-04T05:06:07.000Z");
    });
  });
}

function newRecord(facts: Partial<LedgerRecord> = {}): LedgerRecord {
  return {
    ingestId: randomUUID(),
    receivedAt: "2026-03-04T05:06:08.000Z",
    sourceIp: "192.0.2.7",
    reconciled: false,
    kind: "known",
    eventType: "run_failed",
    body: Buffer.from("{}"),
    ...facts,
  };
}

/** A day of the past, so that tests can share a ledger. */
function randomDay(): string {
  return new Date(randomBytes(4).readUIntBE(0, 4) * 300).toISOString().slice(0, 10);
}

async function listOf(ledger: Ledger, query: RecordQuery): Promise<ListedRecord[]> {
  const listed: ListedRecord[] = [];
  for await (const record of ledger.list(query)) listed.push(record);
  return listed;
}

function withoutBody({ body: _, ...facts }: LedgerRecord) {
  return facts;
}

/** An event of a random tenant, so that tests can share a ledger. */
function newTenantEvent(): TenantEvent {
  return { tenantId: randomBytes(5).readUIntBE(0, 5), eventKind: "created" };
}

function matching(record: LedgerRecord) {
  return { ...record, body: expect.toSatisfy((body) => Buffer.from(body).equals(record.body), "the same body") };
}

async function observationOf(ledger: Ledger, event: TenantEvent) {
  return (await ledger.findObservations([event])).get(tenantEventKey(event));
}
