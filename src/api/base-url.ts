import { isIPv4 } from "node:net";
import { ConfigurationError } from "./errors.ts";

/**
 * Checks a base URL and returns it without slashes at its end.
 *
 * @param name of the setting, for messages.
 * @throws ConfigurationError where it is not a URL, has a user name, a query or a fragment, or would send the key in clear.
 */
export function parseBaseUrl(text: string, allowInsecureHttp: readonly string[], name = "baseUrl"): string {
  if (/^(localhost|[\w-]+(\.[\w-]+)+|[\w.-]+:\d+)(:\d+)?(\/|$)/.test(text)) {
    throw new ConfigurationError(
      `${name}: has no scheme. Write https:// before the host name (http:// only on loopback).`,
    );
  }
  if (!URL.canParse(text)) {
    throw new ConfigurationError(`${name}: not a URL. Give one like https://platform.example.com.`);
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ConfigurationError(`${name}: must begin with https:// (or http:// on loopback), not ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError(`${name}: must not hold a user name or password. Give the API key as apiKey.`);
  }
  if (/[?#]/.test(text)) {
    throw new ConfigurationError(`${name}: must not have a query or a fragment. Remove what follows the ? or #.`);
  }
  if (/\/v2\/*$/.test(url.pathname)) {
    throw new ConfigurationError(`${name}: must not end in /v2, because each request adds it. Remove /v2.`);
  }
  if (!isAllowedUrl(url, allowInsecureHttp)) {
    throw new ConfigurationError(
      `${name}: plain http to ${url.host} would send the API key in clear. Use https, or add the host to allowInsecureHttp: [${url.host}].`,
    );
  }
  return normalizeBaseUrl(text);
}

/** A base URL as a client uses it: origin and path, without slashes at its end. `not a URL` where it is none. */
export function normalizeBaseUrl(text: string): string {
  const url = URL.parse(text);
  return url === null ? "not a URL" : `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** Whether requests may go to a URL: https, or plain http to loopback or to a host in `allowInsecureHttp`. */
export function isAllowedUrl(url: URL, allowInsecureHttp: readonly string[]): boolean {
  if (url.protocol === "https:") return true;
  const allowed = allowInsecureHttp.map((host) => host.toLowerCase());
  const isAllowed = isLoopback(url.hostname) || allowed.includes(url.hostname) || allowed.includes(url.host);
  return url.protocol === "http:" && isAllowed;
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."));
}
