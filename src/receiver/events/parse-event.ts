import type * as z from "zod";
import { eventSchema, eventTypes, type PlatformEvent } from "./payloads.ts";

/** What the body of a webhook turned out to be. */
export type ParsedEvent =
  | { readonly kind: "known"; readonly event: PlatformEvent }
  /** An object with an `event_type` that is none of the five. */
  | { readonly kind: "unknown type"; readonly eventType: string; readonly problems: readonly string[] }
  /** JSON, but not the payload of an event: no object, no `event_type`, or a field of a known event missing or of another type. */
  | { readonly kind: "malformed"; readonly problems: readonly string[] }
  | { readonly kind: "not JSON"; readonly problems: readonly string[] }
  | { readonly kind: "not UTF-8"; readonly problems: readonly string[] };

/**
 * Reads the body of a webhook (specification, "Payloads"). Never throws: what is not an event is marked as what it is.
 * Fields that the specification does not know are kept. Problems name fields and types, never a value.
 */
export function parseEvent(body: string | Uint8Array): ParsedEvent {
  const text = typeof body === "string" ? body : decode(body);
  if (text === undefined) return { kind: "not UTF-8", problems: ["the body is not UTF-8"] };
  const json = parseJson(text);
  if (json === undefined) return { kind: "not JSON", problems: [text === "" ? "the body is empty" : "not JSON"] };

  const eventType = typeOf(json.value);
  if (eventType === undefined) return { kind: "malformed", problems: ["no object with a text event_type"] };
  if (!eventTypes.includes(eventType)) {
    return { kind: "unknown type", eventType, problems: ["the specification has no such event_type"] };
  }
  const parsed = eventSchema.safeParse(json.value);
  if (parsed.success) return { kind: "known", event: parsed.data };
  return { kind: "malformed", problems: parsed.error.issues.map(describe) };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Wrapped, as `null` is JSON too. */
function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function typeOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const eventType: unknown = Reflect.get(value, "event_type");
  return typeof eventType === "string" ? eventType : undefined;
}

function describe(issue: z.core.$ZodIssue): string {
  return `${issue.path.map(String).join(".") || "the body"}: ${issue.message}`;
}
