import { isIPv4 } from "node:net";
import { z } from "zod";
import { ConfigurationError } from "./errors.ts";
import { createKnownSecrets, type KnownSecrets } from "./known-secrets.ts";
import { formatPath } from "./wire-schema.ts";

/** How to reach the platform, and how patiently. */
export interface ClientOptions {
  /** Base address of the deployment (specification, "What the service does"), without `/v2`. A path in it is kept as a prefix. */
  baseUrl: string;
  /** The API key (specification, "Authentication"). */
  apiKey: string;
  /** Hosts that plain http is allowed to, besides loopback: `host` or `host:port`. */
  allowInsecureHttp?: readonly string[] | undefined;
  /** How long a connection may take to come about. Default 10. */
  connectTimeoutSeconds?: number | undefined;
  /** How long one attempt may take, from getting its slot to the last byte. Default 60. */
  callTimeoutSeconds?: number | undefined;
  /** Attempts in all, the first included. Default 5. */
  maxAttempts?: number | undefined;
  /** Pause before a retry: exponential from `first` to `max`, with full jitter. Default 0.25 and 20. */
  backoffSeconds?: { first: number; max: number } | undefined;
  /** The longest pause that a `Retry-After` can bring about. Default 120. */
  maxRetryAfterSeconds?: number | undefined;
  /** Requests under way at once; a pause before a retry does not count. Default 16. */
  concurrency?: number | undefined;
  /** The largest body that is read; of an error, at most 1 MiB is. Default 64 MiB. */
  maxResponseBytes?: number | undefined;
  /** What the requests may hold that no message may show. The API key is never shown. Default: nothing. */
  secrets?: KnownSecrets | undefined;
}

/** The options, checked and completed. */
export interface Settings extends Required<Omit<z.infer<typeof optionsSchema>, "baseUrl">> {
  /** Ends without a slash. */
  baseUrl: string;
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws ConfigurationError that names every option that is wrong, never the key's value.
 */
export function settingsFrom(options: ClientOptions): Settings {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${formatPath(issue.path) || "options"}: ${issue.message}`);
    throw new ConfigurationError(`The client's options are wrong: ${problems.join("; ")}.`);
  }
  const baseUrl = baseUrlFrom(parsed.data.baseUrl, parsed.data.allowInsecureHttp);
  return { ...parsed.data, baseUrl };
}

/** Whether an address may be spoken to: https, or plain http to loopback or a host that was allowed by name. */
export function isAllowedAddress(url: URL, allowInsecureHttp: readonly string[]): boolean {
  if (url.protocol === "https:") {
    return true;
  }
  const allowed = allowInsecureHttp.map((host) => host.toLowerCase());
  const isAllowed = isLoopback(url.hostname) || allowed.includes(url.hostname) || allowed.includes(url.host);
  return url.protocol === "http:" && isAllowed;
}

// A day: beyond it a timer is a mistake of unit, and beyond 24 days Node fires it at once.
const seconds = z.number().positive().max(86_400);
const count = z.int().positive();

const optionsSchema = z.strictObject({
  baseUrl: z.string(),
  apiKey: z
    .string()
    .regex(
      /^[\x21-\x7e]+$/,
      "empty, or with white space, line ends or other characters that no API key has: check INTEGRATION_PLATFORM_API_KEY",
    )
    .refine((key) => key !== "undefined" && key !== "null", "holds the word for a missing value"),
  allowInsecureHttp: z.array(z.string()).readonly().default([]),
  connectTimeoutSeconds: seconds.default(10),
  callTimeoutSeconds: seconds.default(60),
  maxAttempts: count.default(5),
  backoffSeconds: z
    .strictObject({ first: z.number().min(0).max(86_400), max: z.number().min(0).max(86_400) })
    .default({ first: 0.25, max: 20 }),
  maxRetryAfterSeconds: z.number().min(0).max(86_400).default(120),
  concurrency: count.default(16),
  maxResponseBytes: count.default(64 * 1024 * 1024),
  secrets: z.custom<KnownSecrets>().default(createKnownSecrets),
});

function baseUrlFrom(text: string, allowInsecureHttp: readonly string[]): string {
  if (!URL.canParse(text)) {
    throw new ConfigurationError("baseUrl: not a URL. Give one like https://platform.example.com.");
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ConfigurationError(`baseUrl: has to begin with https:// (or http:// on loopback), not ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError("baseUrl: must not hold a user name or password; the API key is given apart.");
  }
  if (/[?#]/.test(text)) {
    throw new ConfigurationError("baseUrl: must not have a query or a fragment.");
  }
  if (!isAllowedAddress(url, allowInsecureHttp)) {
    throw new ConfigurationError(
      `baseUrl: plain http to ${url.host} would send the API key in clear. Use https, or name the host in allowInsecureHttp.`,
    );
  }
  return normalizedAddress(text);
}

/** An address as a client writes it: without a slash at its end, and without anything that no address may hold. */
export function normalizedAddress(text: string): string {
  const url = URL.parse(text);
  return url === null ? "not a URL" : `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."));
}
