import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Ledger, type LedgerRecord, type TenantEvent, tenantEventKey } from "../../src/receiver/ledger/ledger.ts";

/** The tests that every implementation of the ledger must pass. `open` returns a ledger, which need not be empty. */
export function ledgerContract(name: string, open: () => Promise<Ledger>): void {
  describe(`a ledger (${name})`, () => {
    describe("of records", () => {
      test("returns a record whole", async () => {
        const ledger = await open();
        const record = newRecord({ body: Buffer.from('{"event_type":"run_failed"}') });
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
        await ledger.updateStatus(record.ingestId, "published");
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
        await ledger.updateStatus(ingestId, "late");
        expect(await ledger.find(ingestId)).toEqual({ ...matching(record), status: "late" });
      });

      test("refuses to update the status of an unknown record", async () => {
        const ledger = await open();
        const { ingestId } = newRecord();
        await expect(ledger.updateStatus(ingestId, "published")).rejects.toThrow();
        expect(await ledger.find(ingestId)).toBeUndefined();
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
