import type { Settings } from "./client-options.ts";
import { type ApiError, NetworkError, TimeoutError, UnexpectedResponseError } from "./errors.ts";
import { codeOf, type ExchangeFailure } from "./exchange.ts";
import { errorFacts, errorMessage, type FailedAttempt } from "./failed-attempt.ts";
import { type Redact, redactCause } from "./redaction.ts";

/** Creates the error of an attempt without a complete response. */
export function errorFromExchange(
  failed: FailedAttempt,
  exchange: ExchangeFailure,
  settings: Settings,
  redact: Redact,
): ApiError {
  const facts = errorFacts(failed, exchange.cause === undefined ? undefined : redactCause(exchange.cause, redact));
  switch (exchange.kind) {
    case "connect-timeout": {
      const what = `no connection to ${settings.baseUrl} within ${settings.connectTimeoutSeconds} s`;
      return new TimeoutError(errorMessage(failed, what, "", checkNetwork), facts);
    }
    case "call-timeout": {
      const what = `no complete response from ${settings.baseUrl} within ${settings.callTimeoutSeconds} s`;
      const next = "Try again later, or raise callTimeoutSeconds.";
      return new TimeoutError(errorMessage(failed, what, "", next), facts);
    }
    case "too-large": {
      const what = `a response of more than ${settings.maxResponseBytes} bytes`;
      const next = "Ask for less, or raise maxResponseBytes.";
      return new UnexpectedResponseError(errorMessage(failed, what, "", next), facts);
    }
    case "not-http": {
      const what = `a response from ${settings.baseUrl} that is not HTTP`;
      return new UnexpectedResponseError(errorMessage(failed, what, "", "Check the port in the base URL."), facts);
    }
    case "network": {
      const code = codeOf(exchange.cause);
      const what = exchange.wasSent ? "the connection broke before the response was complete" : "no connection";
      const reason = redact(messageOf(exchange.cause, code));
      const next = exchange.wasSent ? "Try again later." : adviceOn(code, settings.baseUrl);
      return new NetworkError(errorMessage(failed, what, reason, next), facts, code);
    }
  }
}

/** Whether another attempt may succeed: not where a certificate is invalid, the server is no HTTP server, or the body too large. */
export function isTransient(exchange: ExchangeFailure): boolean {
  const isPermanent = /CERT|SIGNED|ISSUER|^ERR_SSL|^ERR_TLS|^EPROTO|^UND_ERR_DESTROYED/.test(
    codeOf(exchange.cause) ?? "",
  );
  return !isPermanent && exchange.kind !== "too-large" && exchange.kind !== "not-http";
}

const checkNetwork = "Check the base URL and the network between this machine and the platform.";

/** An error over several addresses has no message of its own; its code stands in. */
function messageOf(cause: unknown, code: string | undefined): string {
  const message = cause instanceof Error ? cause.message : "";
  return message === "" ? (code ?? "") : message;
}

function adviceOn(code: string | undefined, baseUrl: string): string {
  if (code === "ECONNREFUSED") {
    return `Nothing listens at ${baseUrl}: check that the server is running and that the port is right.`;
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `The host name of ${baseUrl} does not resolve: check the base URL and the network.`;
  }
  return checkNetwork;
}
