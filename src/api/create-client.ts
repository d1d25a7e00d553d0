import { createAgent } from "./agent.ts";
import { type Builds, createBuilds } from "./builds.ts";
import { createCall } from "./call.ts";
import { type ClientOptions, settingsFrom } from "./client-options.ts";
import { type Connectors, createConnectors } from "./connectors.ts";
import { createExchange } from "./exchange.ts";
import { createIntegrations, type Integrations } from "./integrations.ts";
import { createLogDownload } from "./log-download.ts";
import { openStream, openText } from "./log-stream.ts";
import { createMetadata, type Metadata } from "./metadata.ts";
import { createPlatformClock, type DoubtedTime } from "./platform-clock.ts";
import { createRedact, type Redact } from "./redaction.ts";
import { createReleases, type Releases } from "./releases.ts";
import { createRetry } from "./retry.ts";
import { createRuns, type Runs } from "./runs.ts";
import type { SecretRegistry } from "./secret-registry.ts";
import { createSend } from "./send.ts";
import { createTenants, type Tenants } from "./tenants.ts";

/**
 * A typed client of the management API, a property for each noun. Every method rejects with an `ApiError`, or with a
 * `ConfigurationError` or a `CancelledError` where no request could be sent. Reads are retried after a lost response, a 429 or
 * a 5xx except 501 and 505; writes only after a 429 or where certainly nothing was sent.
 */
export interface Client {
  /** The base URL, without a slash at its end. */
  readonly baseUrl: string;
  readonly integrations: Integrations;
  readonly releases: Releases;
  readonly tenants: Tenants;
  readonly metadata: Metadata;
  readonly builds: Builds;
  readonly runs: Runs;
  readonly connectors: Connectors;
  /** Adds secrets that no message of this client repeats, even if the platform does: see {@link SecretRegistry.add}. */
  readonly protect: SecretRegistry["add"];
  /** Whether a value holds what may be a secret, so that no message may show it: see {@link SecretRegistry.addPossible}. */
  readonly mayHoldSecret: SecretRegistry["mayHoldSecret"];
  /**
   * The platform's time, to the second: the latest `Date` header of all responses that this client has received, those of
   * errors too, as far as it is believed: see `createPlatformClock`. So it stands still between responses. A missing or
   * invalid header is ignored. Undefined before the first that is believed.
   */
  clock(): Date | undefined;
  /** The time of the last response, if none of the times that responses have shown is believed. */
  doubtedTime(): DoubtedTime | undefined;
  /** Closes all connections at once; calls in flight reject. An idle client does not keep the process alive, closed or not. */
  close(): Promise<void>;
}

/**
 * Creates a client. It sends no request yet.
 *
 * @example
 * const client = createClient({ baseUrl: "https://platform.example.com", apiKey });
 * for await (const tenant of client.tenants.list({ integrationId: 101 })) console.log(tenant.name);
 *
 * @throws ConfigurationError for invalid options.
 */
export function createClient(options: ClientOptions): Client {
  const settings = settingsFrom(options);
  const closing = new AbortController();
  const agent = createAgent(settings);
  const redactKey = createRedact(settings.apiKey);
  const redact: Redact = (text) => settings.secrets.redactAnswer(redactKey(text));
  const clock = createPlatformClock(settings.machineClock);
  const exchange = createExchange(agent, settings, clock);
  const transport = { settings, exchange, retry: createRetry(settings, closing.signal), redact };
  const send = createSend(transport);
  const call = createCall(send, transport);
  const openLog = { text: openText(exchange), stream: openStream(agent, transport) };

  return {
    baseUrl: settings.baseUrl,
    integrations: createIntegrations(call),
    releases: createReleases(call),
    tenants: createTenants(call),
    metadata: createMetadata(call),
    builds: createBuilds(call),
    runs: createRuns(call, createLogDownload(send, transport), openLog),
    connectors: createConnectors(call),
    protect: settings.secrets.add,
    mayHoldSecret: settings.secrets.mayHoldSecret,
    clock: clock.now,
    doubtedTime: clock.doubted,
    close: async () => {
      closing.abort();
      await agent.destroy();
    },
  };
}
