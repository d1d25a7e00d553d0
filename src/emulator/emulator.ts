import { Agent } from "undici";
import { createClockwork } from "./clockwork.ts";
import { createDispatcher } from "./delivering/dispatcher.ts";
import { clockFrom, type EmulatorOptions } from "./emulator-options.ts";
import type { DeliveryRecord, EmailRecord } from "./entities/event.ts";
import type { FaultSpec } from "./faults/fault.ts";
import { createPendingFaults } from "./faults/pending.ts";
import { createHandler } from "./handler.ts";
import { listen } from "./http/server.ts";
import { setStartKey } from "./operations/api-keys.ts";
import { resumeSchedules } from "./operations/schedule.ts";
import { defaultLagSeconds, type Platform } from "./platform.ts";
import { createRequestLog, type RequestRecord } from "./request-log.ts";
import { createApp } from "./routes/app.ts";
import { isLoopbackName } from "./rules/loopback.ts";
import { createReleaseSchemas } from "./rules/release-schemas.ts";
import { applySeed } from "./seed/apply.ts";
import { builtInSeed, readSeed } from "./seed/read.ts";
import { openStore } from "./store/store.ts";
import { changeVariants, defaultVariants, type Variants } from "./variants.ts";

/** A running emulator. */
export interface Emulator {
  /** Without a slash at the end. */
  readonly url: string;
  readonly apiKey: string;
  /** Back to the seed: state, settings, keys, faults and request log. Variants and the clock stay. */
  reset(): Promise<void>;
  /** Stops at once; connections still open are cut. */
  close(): Promise<void>;
  /** The latest 10,000 requests to the API, oldest first. */
  requests(): RequestRecord[];
  clearRequests(): void;
  /** Adds a fault; see `faultSchema` for the kinds. @throws Error when it is none. */
  fault(spec: FaultSpec): void;
  clearFaults(): void;
  /** @throws Error that lists the variants when there is no such one. */
  setVariants(variants: Partial<Variants>): void;
  /** How long writes from now on stay unseen in the variant `visibility=lagging`. */
  setLag(lag: { readonly seconds: number }): void;
  /**
   * Moves a manual clock on. Everything that falls due on the way has happened, in its order, when this resolves;
   * webhooks may still be on their way.
   *
   * @throws Error when the clock is not a manual one.
   */
  advance(step: { readonly seconds: number }): Promise<void>;
  /** Webhooks, sent or to be sent, oldest first; the latest 10,000. */
  deliveries(): DeliveryRecord[];
  /** The e-mails of events, oldest first; the latest 10,000. They are sent nowhere. */
  outbox(): EmailRecord[];
  /** Resolves when every webhook there is has been tried. */
  settled(): Promise<void>;
  /** Answers a request without a socket. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Starts an emulator of the platform.
 *
 * @throws Error when the seed is wrong, a variant unknown, the key empty, or the address taken.
 *
 * @example
 * const emulator = await createEmulator({ variants: { configs: "merge" } });
 * await fetch(`${emulator.url}/v2/tenants`, { headers: { "x-api-key": emulator.apiKey } });
 * await emulator.close();
 */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { host = "127.0.0.1", port = 0, apiKey = "sandbox-key", webhookTimeoutSeconds = 10 } = options;
  if (apiKey.trim() === "") throw new Error("the emulator's API key must not be empty");
  const seed = readSeed(options.seed ?? builtInSeed);
  const variants = changeVariants(defaultVariants, options.variants ?? {});

  const store = openStore(options.data);
  const clock = clockFrom(options.clock, store);
  const { lagSeconds = defaultLagSeconds } = options;
  const platform: Platform = { store, clock, schemas: createReleaseSchemas(), variants, lagSeconds, url: "" };
  const agent = new Agent();
  const dispatcher = createDispatcher(store, agent, webhookTimeoutSeconds);
  const clockwork = createClockwork(platform, dispatcher.poke);
  const catchUp = () => {
    clockwork.catchUp();
    dispatcher.poke();
  };
  const faults = createPendingFaults(clock);
  const log = createRequestLog();
  const reset = () => {
    applySeed(platform, seed, { clearFirst: true });
    setStartKey(platform, apiKey);
    faults.clear();
    log.clear();
    clockwork.catchUp();
  };
  const closing = new AbortController();
  const app = createApp(
    platform,
    { faults, log, reset, advance: clockwork.advance },
    { agent, isOnLoopback: isLoopbackName(host) },
  );
  const background = { catchUp };
  const handle = createHandler({ app, platform, faults, log, background, closing: closing.signal });
  const server = await startOn(store, async () => {
    applySeed(platform, seed, { clearFirst: false });
    return listen(handle, host, port);
  });
  // Only now: where the address is taken, the state may be that of the emulator that has it.
  platform.url = server.url;
  setStartKey(platform, apiKey);
  resumeSchedules(platform);
  dispatcher.start();
  catchUp();

  return {
    url: server.url,
    apiKey,
    reset: async () => reset(),
    close: closeOnce(async () => {
      closing.abort();
      clockwork.stop();
      await dispatcher.close();
      await Promise.all([server.close(), agent.destroy()]);
      store.close();
    }),
    requests: () => log.list(),
    clearRequests: () => log.clear(),
    fault: (spec) => faults.add(spec),
    clearFaults: () => faults.clear(),
    setVariants: (change) => {
      platform.variants = changeVariants(platform.variants, change);
    },
    setLag: ({ seconds }) => {
      platform.lagSeconds = seconds;
    },
    advance: async ({ seconds }) => clockwork.advance(seconds),
    deliveries: () => store.deliveries.listWhere("TRUE"),
    outbox: () => store.emails.listWhere("TRUE"),
    settled: () => dispatcher.settled(),
    fetch: (request) => handle(request),
  };
}

/** Does not leave the database open when starting fails. */
async function startOn<T>(store: { close(): void }, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    store.close();
    throw error;
  }
}

function closeOnce(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= close();
    return closed;
  };
}
