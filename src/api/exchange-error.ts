import type { Settings } from "./client-options.ts";
import { type ApiError, NetworkError, TimeoutError, UnexpectedResponseError } from "./errors.ts";
import { codeOf, type ExchangeFailure } from "./exchange.ts";
import { errorFacts, errorMessage, type FailedAttempt } from "./failed-attempt.ts";
import { isOfTls, nextStep, type Peer, stepAtProxy } from "./next-step.ts";
import { type HttpProxy, mayNeedProxy } from "./proxy.ts";
import { type Redact, redactCause } from "./redaction.ts";

/** Creates the error of an attempt without a complete response. */
export function errorFromExchange(
  failed: FailedAttempt,
  exchange: ExchangeFailure,
  settings: Settings,
  redact: Redact,
): ApiError {
  const facts = errorFacts(failed, exchange.cause === undefined ? undefined : redactCause(exchange.cause, redact));
  const { proxy, proxyStatus } = exchange;
  const peer = peerOf(exchange, settings);
  const from = proxy === undefined ? settings.baseUrl : `${settings.baseUrl} through the proxy ${nameOf(proxy)}`;
  switch (exchange.kind) {
    case "connect-timeout": {
      const where = proxy === undefined ? `no connection to ${settings.baseUrl}` : noConnection(exchange);
      const what = `${where} within ${settings.connectTimeoutSeconds} s`;
      return new TimeoutError(errorMessage(failed, what, "", nextStep("", peer)), facts);
    }
    case "call-timeout": {
      const what = `no complete response from ${from} within ${settings.callTimeoutSeconds} s`;
      const next = "Try again later, or raise callTimeoutSeconds.";
      return new TimeoutError(errorMessage(failed, what, "", next), facts);
    }
    case "too-large": {
      const what = `a response of more than ${settings.maxResponseBytes} bytes`;
      const next = "Ask for less, or raise maxResponseBytes.";
      return new UnexpectedResponseError(errorMessage(failed, what, "", next), facts);
    }
    case "not-http": {
      const what = `a response from ${from} that is not HTTP`;
      const next = `Check the scheme and the port in ${peer.setting}.`;
      return new UnexpectedResponseError(errorMessage(failed, what, "", next), facts);
    }
    case "network": {
      const code = codeOf(exchange.cause);
      if (proxy !== undefined && proxyStatus !== undefined) {
        const what = `the proxy ${nameOf(proxy)} has refused the request with the status ${proxyStatus}`;
        const next = stepAtProxy(proxyStatus, proxy, new URL(settings.baseUrl).hostname);
        return new NetworkError(errorMessage(failed, what, "", next), facts, code);
      }
      if (proxy !== undefined && proxy.url === undefined) {
        const what = `${proxy.variable} is not the URL of a proxy`;
        return new NetworkError(
          errorMessage(failed, what, "", "Write it like http://HOST:PORT: only proxies of HTTP are supported."),
          facts,
          code,
        );
      }
      const isBroken = exchange.wasSent;
      const what = isBroken ? "the connection broke before the response was complete" : noConnection(exchange);
      const reason = redact(messageOf(exchange.cause, code));
      const isPlain = settings.baseUrl.startsWith("http:");
      const again = `Try again later${isPlain ? ", or write https:// in the base URL if the server speaks TLS" : ""}.`;
      const next = isBroken ? again : nextStep(code ?? "", peer);
      return new NetworkError(errorMessage(failed, what, reason, next), facts, code);
    }
  }
}

/** Whose failure it is. What a tunnel shows of TLS is the platform's, everything before the proxy's. */
function peerOf({ proxy, isAtProxy, wasSent, cause }: ExchangeFailure, settings: Settings): Peer {
  const isBeforeTunnel = !wasSent && (isAtProxy === true || !isOfTls(codeOf(cause) ?? ""));
  if (proxy !== undefined && isBeforeTunnel) {
    return { address: `the proxy ${nameOf(proxy)}`, setting: proxy.variable, owner: "proxy", mayNeedProxy: false };
  }
  return {
    address: settings.baseUrl,
    setting: "the base URL",
    owner: "platform",
    mayNeedProxy: mayNeedProxy(new URL(settings.baseUrl), process.env),
  };
}

function noConnection({ proxy, isAtProxy }: ExchangeFailure): string {
  if (proxy === undefined) return "no connection";
  return isAtProxy ? `no connection to the proxy ${nameOf(proxy)}` : `no connection through the proxy ${nameOf(proxy)}`;
}

function nameOf({ origin, variable }: HttpProxy): string {
  return `${origin} (${variable})`;
}

/**
 * Whether another attempt may succeed: not where a certificate is invalid, the server is no HTTP server, the body too large, or a
 * proxy does not let the request pass.
 */
export function isTransient({ kind, cause, proxy, proxyStatus }: ExchangeFailure): boolean {
  const code = codeOf(cause) ?? "";
  if (isOfTls(code) || code === "UND_ERR_DESTROYED" || kind === "too-large" || kind === "not-http") return false;
  if (proxyStatus !== undefined) return proxyStatus === 429 || proxyStatus >= 500;
  return proxy === undefined || proxy.url !== undefined;
}

/** The reason that OpenSSL gives, without its place in the source. An error over several addresses has no message: its code. */
function messageOf(cause: unknown, code: string | undefined): string {
  const { reason, message } = Object(cause);
  const text = typeof reason === "string" ? reason : typeof message === "string" ? message : "";
  // Node.js names a way of its own, which does not help with each certificate.
  return text.replace(/; if the root CA is installed locally.*$/, "") || (code ?? "");
}
