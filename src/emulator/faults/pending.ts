import { z } from "zod";
import type { Clock } from "../clock.ts";
import { type FaultSpec, faultSchema } from "./fault.ts";

/** The faults that wait for requests. */
export interface PendingFaults {
  /** @throws Error when it is not a fault. */
  add(spec: unknown): void;
  /** What is still pending, oldest first. */
  list(): FaultSpec[];
  clear(): void;
  /** The fault that strikes a request, used up by that; the oldest when several would. */
  strike(request: { readonly method: string; readonly path: string; readonly query: string }): FaultSpec | undefined;
}

export function createPendingFaults(clock: Clock): PendingFaults {
  let pending: Pending[] = [];
  return {
    add: (spec) => {
      const fault = parseFault(spec);
      pending.push({
        fault,
        matches: createMatcher(fault),
        toSkip: fault.skip ?? 0,
        toStrike: fault.times ?? (fault.kind === "rate-limit" ? Number.POSITIVE_INFINITY : 1),
        isSpared: fault.kind === "rate-limit" ? createBucket(clock, fault.perSecond) : () => false,
      });
    },
    list: () => pending.map(({ fault }) => fault),
    clear: () => {
      pending = [];
    },
    strike: (request) => {
      const struck = pending.find((candidate) => candidate.matches(request) && isDue(candidate));
      if (!struck) return undefined;
      struck.toStrike -= 1;
      if (struck.toStrike <= 0) pending = pending.filter((candidate) => candidate !== struck);
      return struck.fault;
    },
  };
}

function parseFault(spec: unknown): FaultSpec {
  const parsed = faultSchema.safeParse(spec);
  if (parsed.success) return parsed.data;
  throw new Error(`this is not a fault: ${z.prettifyError(parsed.error)}`);
}

type Struck = Parameters<PendingFaults["strike"]>[0];

interface Pending {
  readonly fault: FaultSpec;
  readonly matches: (request: Struck) => boolean;
  readonly isSpared: () => boolean;
  toSkip: number;
  toStrike: number;
}

function isDue(pending: Pending): boolean {
  if (pending.toSkip > 0) {
    pending.toSkip -= 1;
    return false;
  }
  return !pending.isSpared();
}

function createMatcher({ match }: FaultSpec): (request: Struck) => boolean {
  const path = new RegExp(match?.path ?? "");
  const query = new RegExp(match?.query ?? "");
  const method = match?.method?.toUpperCase();
  return (request) =>
    (method === undefined || method === request.method) && path.test(request.path) && query.test(request.query);
}

/** Takes a token, if there is one; tokens come back at `perSecond`, and as many can be saved up. */
function createBucket(clock: Clock, perSecond: number): () => boolean {
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
