import type { FaultSpec } from "./fault.ts";

/** What one kind of fault does. */
export interface FaultKind {
  readonly meaning: string;
  /** Whether the request takes effect. "optional" means only with `applied`. */
  readonly takesEffect: "no" | "yes" | "optional";
  readonly example: FaultSpec;
}

const tenantWrites = { method: "PATCH", path: "^/v2/tenants/" } as const;
const tenantList = { method: "GET", path: "^/v2/tenants$" } as const;

/** Every kind of fault. */
export const faultKinds: Readonly<Record<FaultSpec["kind"], FaultKind>> = {
  status: {
    meaning: "The response has this `status`, `body` (JSON, or a string as it is) and `headers`.",
    takesEffect: "optional",
    example: { kind: "status", status: 503, match: tenantWrites, times: 2 },
  },
  delay: {
    meaning:
      "The response comes `ms` milliseconds later, or when the faults are cleared. The request is served after the wait, or with `applied` before it, even when the client has gone.",
    takesEffect: "yes",
    example: { kind: "delay", ms: 5000, match: tenantList },
  },
  "cut-before": {
    meaning: "The connection is closed without a response.",
    takesEffect: "no",
    example: { kind: "cut-before", match: tenantList },
  },
  "cut-after": {
    meaning: "The connection is closed without a response.",
    takesEffect: "yes",
    example: { kind: "cut-after", match: { method: "POST", path: "^/v2/tenants$" } },
  },
  "cut-middle": {
    meaning: "The connection is closed in the middle of the response's body.",
    takesEffect: "yes",
    example: { kind: "cut-middle", match: tenantList },
  },
  html: {
    meaning: "The response is an HTML page, as from a proxy, with status 200 unless `status` gives another.",
    takesEffect: "no",
    example: { kind: "html", match: tenantList },
  },
  "truncated-json": {
    meaning: "The response is the first half of its JSON.",
    takesEffect: "yes",
    example: { kind: "truncated-json", match: tenantList },
  },
  "slow-bytes": {
    meaning: "The body of the response comes in pieces over `ms` milliseconds.",
    takesEffect: "yes",
    example: { kind: "slow-bytes", ms: 5000, match: tenantList },
  },
  "wrong-shape": {
    meaning: "A list comes back inside an object, and an object inside a list; or the response is `body`, when given.",
    takesEffect: "yes",
    example: { kind: "wrong-shape", match: tenantList },
  },
  "ignore-fields": {
    meaning: "The top-level `fields` of the body are ignored: the response is a success, and they stay unchanged.",
    takesEffect: "yes",
    example: { kind: "ignore-fields", fields: ["configs"], match: tenantWrites },
  },
  "wrong-date": {
    meaning:
      "The header `Date` of the response is this many `seconds` ahead of the emulator's clock, or behind if negative.",
    takesEffect: "yes",
    example: { kind: "wrong-date", seconds: 86_400, match: tenantList },
  },
  "rate-limit": {
    meaning: "A request beyond `perSecond` requests a second gets 429 with `Retry-After` in seconds.",
    takesEffect: "no",
    example: { kind: "rate-limit", perSecond: 5 },
  },
};
