import { createClient } from "../../src/api/index.ts";
import { createManualClock } from "../../src/emulator/clock.ts";
import {
  createEmulator,
  defaultVariants,
  type Emulator,
  type EmulatorOptions,
  type Variants,
} from "../../src/emulator/index.ts";
import { createOperationContext } from "../../src/operation/operation-context.ts";
import { platformAddress } from "../../src/provider/platform-address.ts";
import { machineClockOf } from "../machine-clock.ts";
import { createStack, type Outcome, type Stack } from "../model/engine/stack.ts";
import type { Command, Program } from "../model/program.ts";
import { type Gate, type Kill, openGate } from "./gate.ts";

/** A platform, a stack that uses it through a gate, and the platform's clock. */
export interface Scene extends AsyncDisposable {
  readonly emulator: Emulator;
  readonly gate: Gate;
  readonly stack: Stack;
  /** The warnings and notes to the user, since the last command began. */
  readonly messages: string[];
  variants: Variants;
  now(): number;
  advance(seconds: number): Promise<void>;
  /** Sends a request to the platform as somebody else. Returns the body. Throws if it is refused. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Runs a command of the engine. A killed one leaves the state that was stored before its death. */
  run(program: Program, command: Command, kill?: Kill): Promise<Played>;
}

export interface Played extends Outcome {
  readonly isKilled: boolean;
  /** How many requests it sent. */
  readonly requests: number;
}

export async function openScene(variants: Partial<Variants> = {}): Promise<Scene> {
  const clock = createManualClock();
  const emulator = await createEmulator({ seed: rolloutSeed, clock, variants });
  const gate = await openGate(emulator, clock.now);
  const messages: string[] = [];
  let url = "";
  let signal = new AbortController().signal;
  const connect = () => {
    const client = createClient({
      baseUrl: url,
      machineClock: machineClockOf(clock),
      apiKey: emulator.apiKey,
      backoffSeconds: { first: 0.001, max: 0.002 },
      callTimeoutSeconds: 20,
      concurrency: 1, // so that a story comes out the same again
      signal,
    });
    return {
      context: createOperationContext({
        client,
        signal,
        warn: (message) => void messages.push(message),
        note: (message) => void messages.push(message),
        consistencyTimeoutSeconds: 0.4,
        quietSeconds: 0.02,
      }),
      address: platformAddress({ baseUrl: emulator.url, source: "the test" }, {}),
      log: { sent: async () => {} },
    };
  };
  const stack = createStack(connect);
  return {
    emulator,
    gate,
    stack,
    messages,
    variants: { ...defaultVariants, ...variants },
    now: clock.now,
    advance: (seconds) => emulator.advance({ seconds }),
    call: async (method, path, body) => {
      const response = await emulator.fetch(
        new Request(`${emulator.url}${path}`, {
          method,
          headers: { "x-api-key": emulator.apiKey, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      if (response.status < 300) return text === "" ? undefined : JSON.parse(text);
      throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    },
    run: async (program, command, kill) => {
      const killed = Promise.withResolvers<"killed">();
      const cancelling = new AbortController();
      messages.length = 0;
      const process = gate.begin(kill, () => {
        stack.state = new Map(stack.state);
        cancelling.abort();
        killed.resolve("killed");
      });
      url = process.url;
      signal = cancelling.signal;
      const ended = stack.run(program, command);
      const outcome = await Promise.race([ended, killed.promise]);
      if (outcome !== "killed") return { ...outcome, isKilled: false, requests: process.requests() };
      await ended.catch(() => {}); // what is left of the process ends, and reaches neither the platform nor the state
      return { errors: ["killed"], processes: [], isKilled: true, requests: process.requests() };
    },
    [Symbol.asyncDispose]: async () => {
      await gate[Symbol.asyncDispose]();
      await emulator.close();
    },
  };
}

/** The integrations of the fleets, and the releases of each. */
export const integrations = { crm: 1, shop: 2 } as const;
export const tags = ["v1", "v2", "v3", "v4"] as const;
export type Tag = (typeof tags)[number];

/** The id of a release. */
export function releaseId(integration: keyof typeof integrations, tag: Tag): number {
  return 10 * integrations[integration] + 1 + tags.indexOf(tag);
}

export const connectorName = "crm";

const rolloutSeed: NonNullable<EmulatorOptions["seed"]> = {
  integrations: Object.entries(integrations).map(([name, id]) => ({
    id,
    name,
    connectors: [{ name: connectorName, isGlobal: false }],
    runs: { takes_seconds: 0 },
    default_release_id: 10 * id + 1,
    releases: tags.map((tag, index) => ({ id: 10 * id + 1 + index, name: tag, tag })),
  })),
};
