import { Agent } from "undici";
import { closeOnce } from "../server/http-server.ts";
import { createApp } from "./app.ts";
import { clockFrom, type EmulatorOptions, storeClock } from "./emulator-options.ts";
import type { DeliveryRecord, EmailRecord } from "./entities/event.ts";
import type { FaultSpec } from "./faults/fault.ts";
import { createPendingFaults } from "./faults/pending.ts";
import { createHandler } from "./http/handler.ts";
import { createRequestLog, type RequestRecord } from "./http/request-log.ts";
import { listen } from "./http/server.ts";
import { createJobRunner } from "./job-runner.ts";
import { setStartKey } from "./operations/api-keys.ts";
import { startAdoptionRecord } from "./operations/release-adoption.ts";
import { resumeSchedules } from "./operations/schedule.ts";
import { createDispatcher } from "./outbound/dispatcher.ts";
import { defaultLagSeconds, type Platform } from "./platform.ts";
import { isLoopbackName } from "./rules/loopback.ts";
import { applySeed, builtInSeed, readSeed } from "./seed/seed.ts";
import { openStore } from "./store/store.ts";
import { changeVariants, defaultVariants, type Variants } from "./variants.ts";

/** A running emulator. */
export interface Emulator {
  /** The URL of the emulator, without a slash at the end. */
  readonly url: string;
  readonly apiKey: string;
  /** Resets everything to the seed: records, settings, keys, faults and the request log. Variants, the lag and the clock stay. */
  reset(): Promise<void>;
  /** Stops at once, and closes the connections that are still open. */
  close(): Promise<void>;
  /** The latest 10,000 requests to the API, oldest first. */
  requests(): RequestRecord[];
  clearRequests(): void;
  /** Adds a fault; `faultKinds` says what each kind does. @throws Error when the fault is not valid. */
  fault(spec: FaultSpec): void;
  clearFaults(): void;
  /** Changes variants. @throws Error that lists the variants, for an unknown variant or value. */
  setVariants(variants: Partial<Variants>): void;
  /** Sets how long readers do not see the next writes in the variant `visibility=lagging`. */
  setLag(lag: { readonly seconds: number }): void;
  /**
   * Moves a manual clock forward, and runs the jobs that become due, in the order of their times. Webhooks may still be
   * on their way when this resolves.
   *
   * @throws Error when the clock is not manual.
   */
  advance(step: { readonly seconds: number }): Promise<void>;
  /** The latest 10,000 webhooks, sent or pending, oldest first. */
  deliveries(): DeliveryRecord[];
  /** The latest 10,000 e-mails of events, oldest first. The emulator does not send them. */
  outbox(): EmailRecord[];
  /** Resolves when no webhook is pending. */
  settled(): Promise<void>;
  /** Answers a request without a network connection. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Starts an emulator of the platform.
 *
 * @throws Error when the seed is not valid, a variant is unknown, the API key is empty, the port is taken, or the database's
 * manual clock is in the future of the machine's clock that is to follow it.
 *
 * @example
 * const emulator = await createEmulator({ variants: { configs: "merge" } });
 * await fetch(`${emulator.url}/v2/tenants`, { headers: { "x-api-key": emulator.apiKey } });
 * await emulator.close();
 */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { host = "127.0.0.1", port = 0, apiKey = "sandbox-key", webhookTimeoutSeconds = 10 } = options;
  if (apiKey.trim() === "") throw new Error("The emulator's API key must not be empty");
  const seed = readSeed(options.seed ?? builtInSeed);
  const variants = changeVariants(defaultVariants, options.variants ?? {});

  const store = openStore(options.data);
  const clock = await closeOnFailure(store, async () => clockFrom(options.clock, store));
  const { lagSeconds = defaultLagSeconds } = options;
  const agent = new Agent();
  const platform: Platform = { store, clock, agent, variants, lagSeconds, url: "" };
  const dispatcher = createDispatcher(store, agent, webhookTimeoutSeconds);
  const jobRunner = createJobRunner(platform, dispatcher.sendPending);
  const runDueJobs = () => {
    jobRunner.runDueJobs();
    dispatcher.sendPending();
  };
  const faults = createPendingFaults(clock);
  const log = createRequestLog();
  const reset = () => {
    applySeed(platform, seed, { clearFirst: true });
    setStartKey(platform, apiKey);
    faults.clear();
    log.clear();
    jobRunner.runDueJobs();
  };
  const closing = new AbortController();
  const controls = { faults, log, reset, advance: jobRunner.advance };
  const app = createApp(platform, controls, { isOnLoopback: isLoopbackName(host) });
  const handle = createHandler({ app, platform, faults, log, runDueJobs, closing: closing.signal });
  const server = await closeOnFailure(store, async () => {
    applySeed(platform, seed, { clearFirst: false });
    startAdoptionRecord(platform);
    return listen(handle, host, port);
  });
  // Not before the emulator listens: when the port is taken, another emulator may be using the same database.
  platform.url = server.url;
  storeClock(store, clock);
  setStartKey(platform, apiKey);
  resumeSchedules(platform);
  dispatcher.start();
  runDueJobs();

  return {
    url: server.url,
    apiKey,
    reset: async () => reset(),
    close: closeOnce(async () => {
      closing.abort();
      jobRunner.stop();
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
    advance: async ({ seconds }) => jobRunner.advance(seconds),
    deliveries: () => store.deliveries.listWhere("TRUE"),
    outbox: () => store.emails.listWhere("TRUE"),
    settled: () => dispatcher.settled(),
    fetch: (request) => handle(request),
  };
}

/** Closes the database when the start fails. */
async function closeOnFailure<T>(store: { close(): void }, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    store.close();
    throw error;
  }
}
