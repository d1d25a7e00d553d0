import { isObject } from "../../json/json-value.ts";
import { jsonIn } from "../../json/parse-json.ts";
import { deviationsOf, type EventType, eventSchema, fieldsOf, type PlatformEvent } from "./payloads.ts";

/** What the body of a webhook is. `problems` are its deviations from the specification. */
export type ParsedEvent =
  | {
      readonly kind: "known";
      readonly eventType: EventType;
      /** The event with the types of the specification. */
      readonly event: PlatformEvent;
      /** The event as it was sent, with the specification's name of its type. */
      readonly payload: Payload;
      readonly problems: readonly string[];
    }
  /** An object whose `event_type` the specification does not define. */
  | { readonly kind: "unknown type"; readonly eventType: string; readonly problems: readonly string[] }
  /** A known `event_type` without the id that identifies the event. */
  | {
      readonly kind: "malformed";
      readonly eventType: EventType;
      readonly payload: Payload;
      readonly problems: readonly string[];
    }
  /** JSON, but not an object with an `event_type`. */
  | { readonly kind: "malformed"; readonly eventType?: undefined; readonly problems: readonly string[] }
  | { readonly kind: "not JSON"; readonly eventType?: undefined; readonly problems: readonly string[] }
  | { readonly kind: "not UTF-8"; readonly eventType?: undefined; readonly problems: readonly string[] };

/** The JSON object in the body of a webhook. */
export type Payload = Readonly<Record<string, unknown>>;

/**
 * Parses the body of a webhook (specification, "Payloads"). Never throws: `kind` separates events from other bodies. Keeps
 * fields that the specification does not define. Problems name fields and types, but never a value.
 */
export function parseEvent(body: string | Uint8Array): ParsedEvent {
  const text = typeof body === "string" ? body : decode(body);
  if (text === undefined) return { kind: "not UTF-8", problems: ["the body is not UTF-8"] };
  const json = jsonIn(text);
  if (json === undefined) {
    return { kind: "not JSON", problems: [text === "" ? "the body is empty" : "the body is not JSON"] };
  }
  if (!isObject(json) || typeof json.event_type !== "string") {
    return { kind: "malformed", problems: ["the body has no string event_type"] };
  }
  const { event_type: sent } = json;
  const eventType = otherNames.get(sent) ?? sent;
  return parsePayload({ ...json, event_type: eventType }, eventType);
}

/** Some platforms send an event under the key of its configuration, and it is the same event. */
const otherNames: ReadonlyMap<string, EventType> = new Map([["tenant_created", "new_tenant_created"]]);

function parsePayload(payload: Payload, eventType: string): ParsedEvent {
  const fields = fieldsOf(eventType);
  if (fields === undefined) return { kind: "unknown type", eventType, problems: ["unknown event_type"] };
  const problems = deviationsOf(payload, fields);
  const { data: event } = eventSchema.safeParse(payload);
  if (event === undefined) return { kind: "malformed", eventType: fields.event_type.value, payload, problems };
  return { kind: "known", eventType: event.event_type, event, payload, problems };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
