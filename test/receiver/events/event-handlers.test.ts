import { describe, expect, expectTypeOf, test } from "vitest";
import { type Delivery, eventHandlers } from "../../../src/receiver/events/index.ts";
import { eventNames, payload } from "../fixtures.ts";

const facts: Delivery = {
  ingestId: "1d2c",
  receivedAt: "2026-03-04T05:06:08.000Z",
  reconciled: false,
  isWhole: true,
  problems: [],
};

/** Handlers that record their calls. */
function recordingHandlers() {
  const calls: unknown[] = [];
  const record = (name: string) => (event: object, delivery: Delivery) => {
    calls.push([name, event, delivery.ingestId]);
  };
  const handler = eventHandlers({
    onIntegrationCreated: record("integration created"),
    onTenantCreated: record("tenant created"),
    onTenantArchived: record("tenant archived"),
    onPartnerIntegrationUpdated: record("partner integration updated"),
    onRunFailed: record("run failed"),
    onOther: (delivery) => calls.push(["other", delivery]),
  });
  return { calls, handler };
}

describe("event handlers", () => {
  test.each(eventNames)("%s calls its own handler with the event and its delivery", async (name) => {
    const { calls, handler } = recordingHandlers();
    await handler({ detail: { ...facts, event: payload(name, { extra: 1 }) } });
    const title = name.replace("new_", "").replaceAll("_", " ");
    expect(calls).toEqual([[title, payload(name, { extra: 1 }), "1d2c"]]);
  });

  test("a reconciled event calls the same handler, although it lacks some fields", async () => {
    const { calls, handler } = recordingHandlers();
    const event = { event_type: "tenant_archived", timestamp: "2026-03-04T05:06:07Z", tenant_id: 7, tenant_name: "a" };
    await handler({ detail: { ...facts, reconciled: true, event } });
    expect(calls).toEqual([["tenant archived", event, "1d2c"]]);
  });

  test("an event with wrong fields calls its own handler, with what could be read", async () => {
    const { calls, handler } = recordingHandlers();
    const sent = payload("run_failed", { account_id: "42", integration_name: null, admin_link: undefined });
    await handler({ detail: { ...facts, event: sent } });
    expect(calls).toEqual([["run failed", { ...sent, account_id: 42, integration_name: undefined }, "1d2c"]]);
  });

  test("an event without its id calls onOther", async () => {
    const { calls, handler } = recordingHandlers();
    const detail = { ...facts, event: payload("run_failed", { run_id: undefined }), problems: ["a problem"] };
    await handler({ detail });
    expect(calls).toEqual([["other", detail]]);
  });

  test("a body that is not a known event calls onOther", async () => {
    const { calls, handler } = recordingHandlers();
    const detail = { ...facts, body: "nope", bodyEncoding: "utf8", problems: ["not JSON"] };
    await handler({ detail });
    expect(calls).toEqual([["other", detail]]);
  });

  test("an event without its own handler calls onOther; without any handler, nothing happens", async () => {
    const other: Delivery[] = [];
    const detail = { ...facts, event: payload("run_failed") };
    await eventHandlers({ onOther: (delivery) => other.push(delivery) })({ detail });
    expect(other).toEqual([detail]);
    await expect(eventHandlers({})({ detail })).resolves.toBeUndefined();
  });

  test("a handler that rejects fails the invocation", async () => {
    const handler = eventHandlers({ onRunFailed: async () => Promise.reject(new Error("pager is down")) });
    await expect(handler({ detail: { ...facts, event: payload("run_failed") } })).rejects.toThrow("pager is down");
  });

  test("an invocation with anything else is an error", async () => {
    await expect(eventHandlers({})({ detail: { hello: "world" } })).rejects.toThrow("ingestId");
  });

  test("the types show which fields an event may lack", () => {
    eventHandlers({
      onTenantArchived: (event) => {
        expectTypeOf(event.tenant_id).toEqualTypeOf<number>();
        expectTypeOf(event.account_id).toEqualTypeOf<number | undefined>();
      },
      onRunFailed: (event) => {
        expectTypeOf(event.run_id).toEqualTypeOf<number>();
        expectTypeOf(event.admin_link).toEqualTypeOf<string | undefined>();
        // @ts-expect-error: there is no such field
        return event.run_idd;
      },
    });
    // @ts-expect-error: the name may be missing
    eventHandlers({ onTenantArchived: (event) => event.tenant_name.length });
  });
});
