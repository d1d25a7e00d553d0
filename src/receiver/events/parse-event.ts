import type * as z from "zod";
import { eventSchema, eventTypes, type PlatformEvent } from "./payloads.ts";

/** What the body of a webhook is. */
export type ParsedEvent =
  | { readonly kind: "known"; readonly event: PlatformEvent }
  /** An object whose `event_type` the specification does not define. */
  | { readonly kind: "unknown type"; readonly eventType: string; readonly problems: readonly string[] }
  /** JSON, but not a payload: not an object, without `event_type`, or with a missing or wrong field of a known event. */
  | { readonly kind: "malformed"; readonly problems: readonly string[] }
  | { readonly kind: "not JSON"; readonly problems: readonly string[] }
  | { readonly kind: "not UTF-8"; readonly problems: readonly string[] };

/**
 * Parses the body of a webhook (specification, "Payloads"). Never throws: `kind` separates events from other bodies. Keeps
 * fields that the specification does not define. Problems name fields and types, but never a value.
 */
export function parseEvent(body: string | Uint8Array): ParsedEvent {
  const text = typeof body === "string" ? body : decode(body);
  if (text === undefined) return { kind: "not UTF-8", problems: ["the body is not UTF-8"] };
  const json = parseJson(text);
  if (json === undefined) {
    return { kind: "not JSON", problems: [text === "" ? "the body is empty" : "the body is not JSON"] };
  }

  const eventType = typeOf(json.value);
  if (eventType === undefined) return { kind: "malformed", problems: ["the body has no string event_type"] };
  if (!eventTypes.includes(eventType)) {
    return { kind: "unknown type", eventType, problems: ["unknown event_type"] };
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

/** Wraps the value, because the value itself may be null. */
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
