import { z } from "zod";
import type { Clock } from "../clock.ts";
import { type FaultSpec, faultSchema } from "./fault.ts";

/** The faults that wait for requests. */
export interface PendingFaults {
  /** @throws Error when `spec` is not a FaultSpec. */
  add(spec: unknown): void;
  /** The pending faults, oldest first. */
  list(): FaultSpec[];
  /** Removes them, and ends the delays of the requests that have met one. */
  clear(): void;
  /** Aborted at the next `clear`. */
  cleared(): AbortSignal;
  /** The oldest fault that applies to a request. The request uses up one of the times that the fault applies. */
  take(request: MatchedRequest): FaultSpec | undefined;
}

interface MatchedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

export function createPendingFaults(clock: Clock): PendingFaults {
  let pending: PendingFault[] = [];
  let clearing = new AbortController();
  return {
    add: (spec) => {
      const fault = parseFault(spec);
      pending.push({
        fault,
        matches: createMatcher(fault),
        requestsToSkip: fault.skip ?? 0,
        timesLeft: fault.times ?? (fault.kind === "rate-limit" ? Number.POSITIVE_INFINITY : 1),
        isWithinRate: fault.kind === "rate-limit" ? createTokenBucket(clock, fault.perSecond) : () => false,
      });
    },
    list: () => pending.map(({ fault }) => fault),
    clear: () => {
      pending = [];
      clearing.abort();
      clearing = new AbortController();
    },
    cleared: () => clearing.signal,
    take: (request) => {
      const found = pending.find((candidate) => candidate.matches(request) && applies(candidate));
      if (!found) return undefined;
      found.timesLeft -= 1;
      if (found.timesLeft <= 0) pending = pending.filter((candidate) => candidate !== found);
      return found.fault;
    },
  };
}

function parseFault(spec: unknown): FaultSpec {
  const parsed = faultSchema.safeParse(spec);
  if (parsed.success) return parsed.data;
  throw new Error(`The fault is not valid: ${z.prettifyError(parsed.error)}`);
}

interface PendingFault {
  readonly fault: FaultSpec;
  readonly matches: (request: MatchedRequest) => boolean;
  /** Whether a rate limit lets the next request pass. */
  readonly isWithinRate: () => boolean;
  requestsToSkip: number;
  timesLeft: number;
}

function applies(pending: PendingFault): boolean {
  if (pending.requestsToSkip > 0) {
    pending.requestsToSkip -= 1;
    return false;
  }
  return !pending.isWithinRate();
}

function createMatcher({ match }: FaultSpec): (request: MatchedRequest) => boolean {
  const path = new RegExp(match?.path ?? "");
  const query = new RegExp(match?.query ?? "");
  const method = match?.method?.toUpperCase();
  return (request) =>
    (method === undefined || method === request.method) && path.test(request.path) && query.test(request.query);
}

/** A token bucket that refills at `perSecond` and holds as many tokens, at least one. Each call takes a token. */
function createTokenBucket(clock: Clock, perSecond: number): () => boolean {
  const capacity = Math.max(1, perSecond);
  let tokens = capacity;
  let countedAt = clock.now();
  return () => {
    const now = clock.now();
    tokens = Math.min(capacity, tokens + ((now - countedAt) / 1000) * perSecond);
    countedAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
