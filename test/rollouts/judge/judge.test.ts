import { beforeEach, describe, expect, test } from "vitest";
import { endAfterTests } from "../../end-after-tests.ts";
import { sendRequest } from "../../send-request.ts";
import { type Fleet, openStrategy, programOf, type Strategy } from "../declared.ts";
import { connectorName, openScene, type Scene } from "../scene.ts";
import { storedOf } from "./exported.ts";
import { Judge } from "./judge.ts";

let scene: Scene;
let fleet: Fleet;

const waves = [{ name: "canary", tenants: ["k0", "k1"] }, { percent: 100 }];
const keys = ["k0", "k1", "k2", "k3"];

// the judge is told of a rollout to v2 whose first wave may start, and no step of the product runs then
beforeEach(() =>
  endAfterTests(async (open) => {
    scene = open.use(await openScene());
    fleet = {
      ...{ name: "f1", integration: "crm", target: "v1", attempt: 1, exclude: ["k3"] },
      tenants: new Map(keys.map((key) => [key, { name: `f1-${key}` }])),
      strategy: { ...openStrategy, waves },
    };
    await scene.run(programOf([fleet]), { kind: "up" });
    for (const key of keys) {
      await scene.call("POST", `/_emulator/tenants/${idOf(key)}/connectors/${connectorName}`, { status: "connected" });
    }
    fleet = { ...fleet, target: "v2" };
    await scene.run(programOf([{ ...fleet, strategy: { ...fleet.strategy, paused: true } }]), { kind: "up" });
  }),
);

describe("finds", () => {
  const move = (key: string, release = 12) => [{ method: "PATCH", key, body: { integration_release_id: release } }];
  const sync = (key: string) => [{ method: "POST", key, path: "/sync?mode=normal" }];
  const cases: [string, { sent: Sent[]; strategy?: Partial<Strategy>; found: RegExp }][] = [
    ["a move of an excluded tenant", { sent: move("k3"), found: /^1: .* is excluded/ }],
    ["a move of a tenant of a later wave", { sent: move("k2"), found: /^1: .* wave 1 has the tenants/ }],
    ["more unproven tenants than allowed", { sent: [...move("k0"), ...move("k1")], found: /^5: / }],
    ["a move to neither the target nor before", { sent: move("k0", 13), found: /^10: / }],
    ["a move while paused", { sent: move("k0"), strategy: { paused: true }, found: /^12: moves .* paused/ }],
    ["a sync while paused", { sent: sync("k0"), strategy: { paused: true }, found: /^12: asks for .* paused/ }],
    [
      "a move in a freeze",
      { sent: move("k0"), strategy: { freeze: { from: "2026-06-01", to: "2026-06-01" } }, found: /^12: .* freeze/ },
    ],
    ["a wave outside its windows", { sent: move("k0"), strategy: { window: [9, 15] }, found: /^12: .* windows/ }],
    [
      "a wave without its approval",
      {
        sent: move("k0"),
        strategy: {
          waves: [{ name: "canary", tenants: ["k0"], approval: "required" }, { percent: 100 }],
          approved: [],
        },
        found: /^12: .* not approved/,
      },
    ],
  ];
  test.each(cases)("%s", async (_, { sent, strategy = {}, found }) => {
    const declared = { ...fleet, strategy: { ...fleet.strategy, maxUnavailable: 1, ...strategy } };
    expect(await judged(declared, sent)).toContainEqual(expect.stringMatching(found));
  });

  test("nothing in a move that is allowed", async () => {
    expect(await judged(fleet, move("k0"))).toEqual([]);
  });

  test("a write in a preview", async () => {
    expect(await judged(fleet, move("k0"), "preview")).toContainEqual(expect.stringMatching(/^12: a preview sent/));
  });

  test("a move after a failure", async () => {
    const failing = { runs: { takes_seconds: 0, outcome: "fail" } };
    await scene.call("PATCH", `/_emulator/tenants/${idOf("k0")}`, failing);
    const look = { method: "GET" };
    const ask = { method: "GET", trigger: true };
    const sent = [...move("k0"), look, ...sync("k0"), ask, ...move("k1")];
    expect(await judged(fleet, sent)).toContainEqual(expect.stringMatching(/^6: /));
  });
});

interface Sent {
  readonly method: string;
  /** Default: all tenants. */
  readonly key?: string;
  readonly path?: string;
  readonly body?: object;
  /** Asks for the status of the last trigger, two seconds later. */
  readonly trigger?: boolean;
}

/** What the judge finds in requests that a process sends in a command. */
async function judged(declared: Fleet, sent: readonly Sent[], kind: "up" | "preview" = "up"): Promise<string[]> {
  const judge = new Judge(scene);
  scene.gate.watch = {
    before: (exchange) => judge.before(exchange),
    after: async (exchange) => {
      await judge.after(exchange);
      return undefined;
    },
  };
  await judge.begin([declared], kind, false);
  const { url } = scene.gate.begin(undefined, () => {});
  let triggerId: unknown;
  for (const { method, key, path = "", body, trigger } of sent) {
    if (trigger) await scene.advance(2);
    const ofTenant = key === undefined ? "" : `/${idOf(key)}`;
    const address = trigger ? `/v2/runs/triggers/${triggerId}/status` : `/v2/tenants${ofTenant}${path}`;
    const { body: answer } = await sendRequest({ url, apiKey: scene.emulator.apiKey }, method, address, body);
    triggerId = Object(answer).trigger_id ?? triggerId;
  }
  return judge.end({ errors: [], processes: [], isKilled: false, requests: sent.length });
}

function idOf(key: string): number | undefined {
  return storedOf(scene.stack.state, "f1").tenantIds.get(key);
}
