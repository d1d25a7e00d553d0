import type { FaultSpec } from "../../../src/emulator/index.ts";
import type { LoggedRequest } from "../platform-process.ts";
import type { Random } from "../random.ts";
import type { Disturb, Strikes } from "./disturbance.ts";

/** Answers that are refusals, broken or cut: each kind at some places of the command. */
export const answers: Disturb = async ({ platform, random, command }) => {
  const specs = random.sample(Object.keys(kinds), 10).map((name) => faultOf(name, random, command));
  for (const spec of specs) await platform.fault(spec);
  return {
    kills: false,
    end: async () => {
      await platform.clearFaults();
      return strikesOf(await platform.requests());
    },
  };
};

/** Brothers: the answers of issue 9. */
const kinds: Record<string, () => FaultSpec> = {
  "429": () => ({ kind: "status", status: 429 }),
  "429-seconds": () => ({ kind: "status", status: 429, headers: { "retry-after": "1" } }),
  "429-date": () => ({
    kind: "status",
    status: 429,
    headers: { "retry-after": new Date(Date.now() + 15_000).toUTCString() }, // while the command works
  }),
  "500": () => ({ kind: "status", status: 500 }),
  "500-applied": () => ({ kind: "status", status: 500, applied: true }),
  "502-html": () => ({ kind: "html", status: 502 }),
  "503": () => ({ kind: "status", status: 503, headers: { "retry-after": "1" } }),
  "504": () => ({ kind: "status", status: 504 }),
  "504-applied": () => ({ kind: "status", status: 504, applied: true }),
  empty: () => ({ kind: "status", status: 200, body: "", applied: true }),
  "truncated-json": () => ({ kind: "truncated-json" }),
  "wrong-shape": () => ({ kind: "wrong-shape" }),
  "slow-bytes": () => ({ kind: "slow-bytes", ms: 2000 }),
  "cut-before": () => ({ kind: "cut-before" }),
  "cut-after": () => ({ kind: "cut-after" }),
  "cut-middle": () => ({ kind: "cut-middle" }),
};

interface Place {
  readonly method: string;
  readonly path: string;
  /** How many requests go there in a command of 300 tenants, about. */
  readonly usual: number;
}

const places: Record<"up" | "destroy", readonly Place[]> = {
  up: [
    { method: "POST", path: "^/v2/tenants$", usual: 250 },
    { method: "PATCH", path: "^/v2/tenants/\\d+$", usual: 90 },
    { method: "PATCH", path: "/metadata$", usual: 40 },
    { method: "GET", path: "/metadata$", usual: 30 },
    { method: "GET", path: "^/v2/tenants$", usual: 8 },
    { method: "GET", path: "^/v2/integrations", usual: 4 },
    { method: "DELETE", path: "^/v2/tenants/", usual: 10 },
    { method: "POST", path: "(build|/sync)$", usual: 3 },
    { method: "GET", path: "triggers", usual: 3 },
  ],
  destroy: [
    { method: "DELETE", path: "^/v2/tenants/", usual: 290 },
    { method: "GET", path: "^/v2/tenants$", usual: 6 },
    { method: "GET", path: "^/v2/integrations", usual: 2 },
  ],
};

function faultOf(name: string, random: Random, command: "up" | "destroy"): FaultSpec {
  const { usual, method, path } = random.pick(places[command]);
  const fault = kinds[name]?.() ?? { kind: "cut-before" };
  // now and then more in a row than are retried
  const times = random.chance(0.2) ? 6 : 1 + random.below(3);
  return { ...fault, match: { method, path }, skip: random.below(usual), times };
}

/** The faults that struck, by what was answered. */
export function strikesOf(requests: readonly LoggedRequest[]): Strikes {
  const strikes: Record<string, number> = {};
  for (const { fault, status } of requests) {
    if (fault === undefined) continue;
    const kind = fault === "status" || fault === "html" ? `${fault} ${status}` : fault;
    strikes[kind] = (strikes[kind] ?? 0) + 1;
  }
  return strikes;
}
