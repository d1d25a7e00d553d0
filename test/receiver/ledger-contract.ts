import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Ledger, type LedgerRecord, type Subject, subjectKey } from "../../src/receiver/ledger/ledger.ts";

/** What every ledger has to hold to. `make` gives one to use; it need not be empty. */
export function ledgerContract(name: string, make: () => Promise<Ledger>): void {
  describe(`a ledger (${name})`, () => {
    describe("of records", () => {
      test("gives back what was put, whole", async () => {
        const ledger = await make();
        const record = someRecord({ body: Buffer.from('{"event_type":"run_failed"}') });
        expect(await ledger.keep(record)).toBe("received");
        expect(await ledger.find(record.ingestId)).toEqual({ ...found(record), status: "received" });
      });

      test("knows none that was not put", async () => {
        expect(await (await make()).find(randomUUID())).toBeUndefined();
      });

      test.each([
        ["without a byte", Buffer.alloc(0)],
        ["of text beyond a kilobyte", Buffer.from("é".repeat(2_000))],
        ["of a null character", Buffer.from("\u0000")],
        ["that is no text", Buffer.from([0xff, 0x00, 0xfe])],
        ["of a mebibyte of text", Buffer.from("text ".repeat(209_000))],
        ["of a mebibyte that nothing compresses", randomBytes(786_000)],
        ["of a mebibyte of text that hardly compresses", Buffer.from(randomBytes(780_000).toString("base64"))],
      ])("keeps a body %s to the byte", async (_, body) => {
        const ledger = await make();
        const record = someRecord({ body });
        await ledger.keep(record);
        const kept = await ledger.find(record.ingestId);
        expect(Buffer.from(kept?.body ?? []).equals(body)).toBe(true);
      });

      test("keeps the first of an ingest id, and says how far it has come", async () => {
        const ledger = await make();
        const record = someRecord();
        await ledger.keep(record);
        const another = { ...record, kind: "malformed", body: Buffer.from("another") };
        expect(await ledger.keep(another)).toBe("received");
        await ledger.settle(record.ingestId, "published");
        expect(await ledger.keep(another)).toBe("published");
        expect(await ledger.find(record.ingestId)).toEqual({ ...found(record), status: "published" });
      });

      test("lets one of many that put the same at once be first", async () => {
        const ledger = await make();
        const record = someRecord();
        const bodies = Array.from({ length: 8 }, (_, index) => Buffer.from(`body ${index}`));
        const statuses = await Promise.all(bodies.map((body) => ledger.keep({ ...record, body })));
        expect(statuses).toEqual(bodies.map(() => "received"));
        const kept = await ledger.find(record.ingestId);
        expect(bodies.map(String)).toContain(Buffer.from(kept?.body ?? []).toString());
      });

      test("does without what is not known", async () => {
        const ledger = await make();
        const { ingestId, receivedAt, body } = someRecord();
        const record = { ingestId, receivedAt, reconciled: true, kind: "not JSON", body };
        await ledger.keep(record);
        await ledger.settle(ingestId, "late");
        expect(await ledger.find(ingestId)).toEqual({ ...found(record), status: "late" });
      });

      test("settles none that was not put", async () => {
        const ledger = await make();
        const { ingestId } = someRecord();
        await expect(ledger.settle(ingestId, "published")).rejects.toThrow();
        expect(await ledger.find(ingestId)).toBeUndefined();
      });
    });

    describe("of sightings", () => {
      const at = "2026-03-04T05:06:07.000Z";

      test("puts one where there is none, and says what is in the way of another", async () => {
        const ledger = await make();
        const subject = someSubject();
        const webhook = { state: "webhook", at, ingestId: randomUUID() } as const;
        expect(await ledger.sight(subject, webhook, [])).toBeUndefined();
        expect(await ledger.sight(subject, { state: "stock", at }, [])).toEqual(webhook);
        expect(await ledger.sight(subject, { state: "stock", at }, ["noticed", "stock"])).toEqual(webhook);
        expect(await sightingOf(ledger, subject)).toEqual(webhook);
      });

      test("puts one over another in a state that gives way", async () => {
        const ledger = await make();
        const subject = someSubject();
        await ledger.sight(subject, { state: "noticed", at }, []);
        const reconciling = { state: "reconciling", at, ingestId: randomUUID() } as const;
        expect(await ledger.sight(subject, reconciling, ["stock", "noticed"])).toBeUndefined();
        expect(await ledger.sight(subject, { state: "webhook", at }, ["noticed"])).toEqual(reconciling);
        expect(await sightingOf(ledger, subject)).toEqual(reconciling);
      });

      test("lets one of many that claim the same at once have it, and tells the others which", async () => {
        const ledger = await make();
        const subject = someSubject();
        await ledger.sight(subject, { state: "noticed", at }, []);
        const claims = Array.from({ length: 8 }, () => ({ state: "reconciling", at, ingestId: randomUUID() }) as const);
        const answers = await Promise.all(claims.map((claim) => ledger.sight(subject, claim, ["noticed"])));
        const winner = await sightingOf(ledger, subject);
        expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
        expect(answers.filter((answer) => answer !== undefined)).toEqual(Array.from({ length: 7 }, () => winner));
        expect(claims[answers.indexOf(undefined)]).toEqual(winner);
      });

      test("tells a tenant's beginning from its end, and one tenant from another", async () => {
        const ledger = await make();
        const { tenantId } = someSubject();
        await ledger.sight({ tenantId, happening: "created" }, { state: "stock", at }, []);
        const others = [
          { tenantId, happening: "archived" },
          { tenantId: tenantId + 1, happening: "created" },
        ] as const;
        expect(await ledger.sightings(others)).toEqual(new Map());
      });

      test("finds those of many subjects, and is silent about the others", async () => {
        const ledger = await make();
        const { tenantId } = someSubject();
        const subjects = Array.from({ length: 250 }, (_, index) => {
          return { tenantId: tenantId + index, happening: "created" } as const;
        });
        const known = subjects.filter((_, index) => index % 3 === 0);
        await Promise.all(known.map((subject) => ledger.sight(subject, { state: "stock", at }, [])));
        const sightings = await ledger.sightings(subjects);
        expect([...sightings.keys()].sort()).toEqual(known.map(subjectKey).sort());
        expect(new Set([...sightings.values()].map(({ state }) => state))).toEqual(new Set(["stock"]));
        expect(await ledger.sightings([])).toEqual(new Map());
      });
    });

    test("remembers when stock was taken", async () => {
      const ledger = await make();
      await ledger.finishStock("2026-03-04T05:06:07.000Z");
      expect(await ledger.stockTakenAt()).toBe("2026-03-04T05:06:07.000Z");
    });
  });
}

function someRecord(facts: Partial<LedgerRecord> = {}): LedgerRecord {
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

/** A subject that no other test has. */
function someSubject(): Subject {
  return { tenantId: randomBytes(5).readUIntBE(0, 5), happening: "created" };
}

function found(record: LedgerRecord) {
  return { ...record, body: expect.toSatisfy((body) => Buffer.from(body).equals(record.body), "the body") };
}

async function sightingOf(ledger: Ledger, subject: Subject) {
  return (await ledger.sightings([subject])).get(subjectKey(subject));
}
