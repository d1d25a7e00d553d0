import * as z from "zod";
import { formatPath } from "../json/key-path.ts";
import { parseBaseUrl } from "./base-url.ts";
import { ConfigurationError } from "./errors.ts";
import { type MachineClock, machineClock } from "./platform-clock.ts";
import { createSecretRegistry, type SecretRegistry } from "./secret-registry.ts";

/** Options of `createClient`. All but the base URL and the key are optional. */
export interface ClientOptions {
  /** Base URL of the deployment (specification, "What the service does"), without `/v2`. A path in it is kept as a prefix. */
  baseUrl: string;
  /** The API key (specification, "Authentication"). */
  apiKey: string;
  /** Hosts that may be called by plain http, besides loopback: `host` or `host:port`. Default: none. */
  allowInsecureHttp?: readonly string[] | undefined;
  /** Time limit for opening a connection. Default 10. */
  connectTimeoutSeconds?: number | undefined;
  /** Time limit for one attempt, from its start to the last byte of the response. Default 60. */
  callTimeoutSeconds?: number | undefined;
  /** Attempts in all, the first one included. Default 5. */
  maxAttempts?: number | undefined;
  /** Pause before a retry: exponential from `first` to `max`, with full jitter. Default 0.25 and 20. */
  backoffSeconds?: { first: number; max: number } | undefined;
  /** The longest pause that a `Retry-After` header can cause. Default 120. */
  maxRetryAfterSeconds?: number | undefined;
  /** Requests in flight at once; a pause before a retry does not count. Default 16. */
  concurrency?: number | undefined;
  /** Size limit for the body of a response. Of an error's body at most 1 MiB is read. Default 64 MiB. */
  maxResponseBytes?: number | undefined;
  /** Secrets in requests that no error message may show; the API key is never shown. Default: an empty registry. */
  secrets?: SecretRegistry | undefined;
  /** The clock with which the platform's is compared. Default: the machine's own. */
  machineClock?: MachineClock | undefined;
  /**
   * Once it is aborted, no request begins and no pause goes on: the calls reject with `CancelledError`. Requests that were
   * sent are finished, and are not retried. Default: a signal that is never aborted.
   */
  signal?: AbortSignal | undefined;
}

/** The checked options, with their defaults. */
export interface Settings extends Required<Omit<z.infer<typeof optionsSchema>, "baseUrl">> {
  /** Without a slash at its end. */
  baseUrl: string;
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws ConfigurationError that names every wrong option, without the key's value.
 */
export function settingsFrom(options: ClientOptions): Settings {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${formatPath(issue.path) || "options"}: ${issue.message}`);
    throw new ConfigurationError(`The client's options are wrong: ${problems.join("; ")}.`);
  }
  return { ...parsed.data, baseUrl: parseBaseUrl(parsed.data.baseUrl, parsed.data.allowInsecureHttp) };
}

// A day at most: more is probably milliseconds by mistake, and Node fires a timer of more than 24 days at once.
const maxSeconds = 86_400;
const seconds = z.number().positive().max(maxSeconds);
const secondsOrZero = z.number().min(0).max(maxSeconds);
const count = z.int().positive();

const optionsSchema = z.strictObject({
  baseUrl: z.string(),
  apiKey: z
    .string()
    .regex(
      /^[\x21-\x7e]+$/,
      "empty, or with white space, line ends or other characters that no API key has: check INTEGRATION_PLATFORM_API_KEY",
    )
    .refine((key) => key !== "undefined" && key !== "null", 'is the string "undefined" or "null": the key is missing'),
  allowInsecureHttp: z.array(z.string()).readonly().default([]),
  connectTimeoutSeconds: seconds.default(10),
  callTimeoutSeconds: seconds.default(60),
  maxAttempts: count.default(5),
  backoffSeconds: z.strictObject({ first: secondsOrZero, max: secondsOrZero }).default({ first: 0.25, max: 20 }),
  maxRetryAfterSeconds: secondsOrZero.default(120),
  concurrency: count.default(16),
  maxResponseBytes: count.default(64 * 1024 * 1024),
  machineClock: z.custom<MachineClock>().default(machineClock),
  secrets: z.custom<SecretRegistry>().default(createSecretRegistry),
  signal: z.custom<AbortSignal>().default(() => new AbortController().signal),
});
