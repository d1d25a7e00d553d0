import { setMaxListeners } from "node:events";
import { type Builds, createBuilds } from "./builds.ts";
import { createCall } from "./call.ts";
import { type ClientOptions, settingsFrom } from "./client-options.ts";
import { type Connectors, createConnectors } from "./connectors.ts";
import { createAgent, createExchange } from "./exchange.ts";
import { createIntegrations, type Integrations } from "./integrations.ts";
import { createLogDownload } from "./log-download.ts";
import { openStream, openText } from "./log-stream.ts";
import { createMetadata, type Metadata } from "./metadata.ts";
import { createRedact, type Redact } from "./redaction.ts";
import { createReleases, type Releases } from "./releases.ts";
import { createRetry } from "./retry.ts";
import { createRuns, type Runs } from "./runs.ts";
import { createSend } from "./send.ts";
import { createTenants, type Tenants } from "./tenants.ts";

/** The management API, typed. Every method rejects with an `ApiError`, or with `ConfigurationError` when nothing could be sent. */
export interface Client {
  /** The base address, without a slash at its end. */
  readonly baseUrl: string;
  readonly integrations: Integrations;
  readonly releases: Releases;
  readonly tenants: Tenants;
  readonly metadata: Metadata;
  readonly builds: Builds;
  readonly runs: Runs;
  readonly connectors: Connectors;
  /** Ends all connections at once; what is under way fails. An idle client keeps no process alive, closed or not. */
  close(): Promise<void>;
}

/**
 * Creates a client. No request is made yet.
 *
 * @example
 * const client = createClient({ baseUrl: "https://platform.example.com", apiKey });
 * for await (const tenant of client.tenants.list({ integrationId: 101 })) console.log(tenant.name);
 *
 * @throws ConfigurationError for options that cannot be used.
 */
export function createClient(options: ClientOptions): Client {
  const settings = settingsFrom(options);
  const closing = new AbortController();
  // Every call that pauses before a retry listens; many at once are no leak.
  setMaxListeners(0, closing.signal);
  const agent = createAgent(settings);
  const redactKey = createRedact(settings.apiKey);
  const redact: Redact = (text) => settings.secrets.redact(redactKey(text));
  const exchange = createExchange(agent, settings);
  const sender = { settings, exchange, retry: createRetry(settings, closing.signal), redact };
  const send = createSend(sender);
  const call = createCall(send, sender);
  const openLog = { text: openText(exchange), stream: openStream(agent, sender) };

  return {
    baseUrl: settings.baseUrl,
    integrations: createIntegrations(call),
    releases: createReleases(call),
    tenants: createTenants(call),
    metadata: createMetadata(call),
    builds: createBuilds(call),
    runs: createRuns(call, createLogDownload(send, sender), openLog),
    connectors: createConnectors(call),
    close: async () => {
      closing.abort();
      await agent.destroy();
    },
  };
}
