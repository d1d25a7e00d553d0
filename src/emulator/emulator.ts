import { type Clock, systemClock } from "./clock.ts";
import type { FaultSpec } from "./faults/fault.ts";
import { createPendingFaults } from "./faults/pending.ts";
import { createHandler } from "./handler.ts";
import { isLoopbackName } from "./http/same-site.ts";
import { listen } from "./http/server.ts";
import type { Platform } from "./platform.ts";
import { createRequestLog, type RequestRecord } from "./request-log.ts";
import { createApp } from "./routes/app.ts";
import { createReleaseSchemas } from "./rules/release-schemas.ts";
import { applySeed } from "./seed/apply.ts";
import { builtInSeed, readSeed } from "./seed/read.ts";
import type { Seed } from "./seed/schema.ts";
import { openStore } from "./store/store.ts";
import { changeVariants, defaultVariants, type Variants } from "./variants.ts";

export interface EmulatorOptions {
  /** The address to listen on. Default 127.0.0.1; anything but loopback lets others in. */
  readonly host?: string | undefined;
  /** Default 0, any free one. */
  readonly port?: number | undefined;
  /** The directory of the database's file. Default: in memory. A seed is put only into an empty database. */
  readonly data?: string | undefined;
  /** What to begin with: an object, or the path of a YAML file. Default: the built-in seed. */
  readonly seed?: Seed | string | undefined;
  /** The key that requests have to carry. Default "sandbox-key". */
  readonly apiKey?: string | undefined;
  /** Default: the first value of each. */
  readonly variants?: Partial<Variants> | undefined;
  /** Default: the machine's own. */
  readonly clock?: Clock | undefined;
}

/** A running emulator. */
export interface Emulator {
  /** Without a slash at the end. */
  readonly url: string;
  readonly apiKey: string;
  /** Back to the seed: state, faults and request log. Variants stay. */
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
  const { host = "127.0.0.1", port = 0, apiKey = "sandbox-key", clock = systemClock } = options;
  if (apiKey.trim() === "") throw new Error("the emulator's API key must not be empty");
  const seed = readSeed(options.seed ?? builtInSeed);
  const variants = changeVariants(defaultVariants, options.variants ?? {});

  const store = openStore(options.data);
  const platform: Platform = { store, clock, schemas: createReleaseSchemas(), variants };
  const faults = createPendingFaults(clock);
  const log = createRequestLog();
  const reset = () => {
    applySeed(platform, seed, { clearFirst: true });
    faults.clear();
    log.clear();
  };
  const closing = new AbortController();
  const app = createApp(platform, { faults, log, reset }, { apiKey, isOnLoopback: isLoopbackName(host) });
  const handle = createHandler({ app, platform, faults, log, closing: closing.signal });
  const server = await startOn(store, async () => {
    applySeed(platform, seed, { clearFirst: false });
    return listen(handle, host, port);
  });

  return {
    url: server.url,
    apiKey,
    reset: async () => reset(),
    close: closeOnce(async () => {
      closing.abort();
      await server.close();
      store.close();
    }),
    requests: () => log.list(),
    clearRequests: () => log.clear(),
    fault: (spec) => faults.add(spec),
    clearFaults: () => faults.clear(),
    setVariants: (change) => {
      platform.variants = changeVariants(platform.variants, change);
    },
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
