import { describe, expect, expectTypeOf, test } from "vitest";
import { type Delivery, eventHandlers, type TenantArchived } from "../../../src/receiver/events/index.ts";
import { eventNames, payload } from "../fixtures.ts";

const facts: Delivery = {
  ingestId: "1d2c",
  receivedAt: "2026-03-04T05:06:08.000Z",
  reconciled: false,
  isWhole: true,
  problems: [],
};

/** Handlers that note by which name which event was handled. */
function noting() {
  const noted: unknown[] = [];
  const note = (name: string) => (event: object, delivery: Delivery) => {
    noted.push([name, event, delivery.ingestId]);
  };
  const handler = eventHandlers({
    onIntegrationCreated: note("integration created"),
    onTenantCreated: note("tenant created"),
    onTenantArchived: note("tenant archived"),
    onPartnerIntegrationUpdated: note("partner integration updated"),
    onRunFailed: note("run failed"),
    onOther: (delivery) => noted.push(["other", delivery]),
  });
  return { noted, handler };
}

describe("handlers of events", () => {
  test.each(eventNames)("%s goes to its own handler, with the facts of its delivery", async (name) => {
    const { noted, handler } = noting();
    await handler({ detail: { ...facts, event: payload(name, { extra: 1 }) } });
    const title = name.replace("new_", "").replaceAll("_", " ");
    expect(noted).toEqual([[title, payload(name, { extra: 1 }), "1d2c"]]);
  });

  test("a reconciled event goes to the same handler although it lacks what the list does not tell", async () => {
    const { noted, handler } = noting();
    const event = { event_type: "tenant_archived", timestamp: "2026-03-04T05:06:07Z", tenant_id: 7, tenant_name: "a" };
    await handler({ detail: { ...facts, reconciled: true, event } });
    expect(noted).toEqual([["tenant archived", event, "1d2c"]]);
  });

  test("what is not a known event goes to the handler for all else", async () => {
    const { noted, handler } = noting();
    const detail = { ...facts, body: "nope", bodyEncoding: "utf8", problems: ["not JSON"] };
    await handler({ detail });
    expect(noted).toEqual([["other", detail]]);
  });

  test("so does an event without a handler of its own; without any, nothing happens", async () => {
    const other: Delivery[] = [];
    const detail = { ...facts, event: payload("run_failed") };
    await eventHandlers({ onOther: (delivery) => other.push(delivery) })({ detail });
    expect(other).toEqual([detail]);
    await expect(eventHandlers({})({ detail })).resolves.toBeUndefined();
  });

  test("what a handler throws, later too, fails the invocation", async () => {
    const handler = eventHandlers({ onRunFailed: async () => Promise.reject(new Error("pager is down")) });
    await expect(handler({ detail: { ...facts, event: payload("run_failed") } })).rejects.toThrow("pager is down");
  });

  test("an invocation by something else is an error", async () => {
    await expect(eventHandlers({})({ detail: { hello: "world" } })).rejects.toThrow("ingestId");
  });

  test("types tell what a reconciled event may lack", () => {
    eventHandlers({
      onTenantArchived: (event) => {
        expectTypeOf(event.tenant_id).toEqualTypeOf<number>();
        expectTypeOf(event.account_id).toEqualTypeOf<number | undefined>();
      },
      onRunFailed: (event) => {
        expectTypeOf(event.account_id).toEqualTypeOf<number>();
        // @ts-expect-error: no such field
        return event.run_idd;
      },
    });
    // @ts-expect-error: takes no reconciled event
    eventHandlers({ onTenantArchived: (event: TenantArchived) => event.account_name.length });
  });
});
