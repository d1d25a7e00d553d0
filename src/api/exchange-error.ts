import type { Settings } from "./client-options.ts";
import { type ApiError, NetworkError, TimeoutError, UnexpectedResponseError } from "./errors.ts";
import { codeOf, type ExchangeFailure } from "./exchange.ts";
import { type Failure, factsOf, messageOf } from "./failure.ts";
import { type Redact, redactCause } from "./redaction.ts";

/** The one place where a missing answer becomes an error class. */
export function errorFromExchange(
  failure: Failure,
  exchange: ExchangeFailure,
  settings: Settings,
  redact: Redact,
): ApiError {
  const facts = factsOf(failure, exchange.cause === undefined ? undefined : redactCause(exchange.cause, redact));
  switch (exchange.kind) {
    case "connect-timeout": {
      const what = `no connection to ${settings.baseUrl} within ${settings.connectTimeoutSeconds} s`;
      return new TimeoutError(messageOf(failure, what, "", checkReach), facts);
    }
    case "call-timeout": {
      const what = `no whole answer from ${settings.baseUrl} within ${settings.callTimeoutSeconds} s`;
      return new TimeoutError(messageOf(failure, what, "", "Try again later, or raise callTimeoutSeconds."), facts);
    }
    case "too-large": {
      const what = `an answer of more than ${settings.maxResponseBytes} bytes`;
      return new UnexpectedResponseError(
        messageOf(failure, what, "", "Ask for less, or raise maxResponseBytes."),
        facts,
      );
    }
    case "not-http": {
      const what = `an answer from ${settings.baseUrl} that is not HTTP`;
      return new UnexpectedResponseError(messageOf(failure, what, "", "Check the port in the base URL."), facts);
    }
    case "network": {
      const code = codeOf(exchange.cause);
      const what = exchange.wasSent ? "the connection broke before the whole answer was there" : "no connection";
      const words = redact(wordsOf(exchange.cause, code));
      const next = exchange.wasSent ? "Try again later." : adviseOn(code, settings.baseUrl);
      return new NetworkError(messageOf(failure, what, words, next), facts, code);
    }
  }
}

/** Whether asking again could end otherwise. A certificate, or a server that does not speak HTTP, stays what it is. */
export function isTransient(exchange: ExchangeFailure): boolean {
  const isPermanent = /CERT|SIGNED|ISSUER|^ERR_SSL|^ERR_TLS|^EPROTO|^UND_ERR_DESTROYED/.test(
    codeOf(exchange.cause) ?? "",
  );
  return !isPermanent && exchange.kind !== "too-large" && exchange.kind !== "not-http";
}

const checkReach = "Check the base URL, and that this machine may reach it.";

function wordsOf(cause: unknown, code: string | undefined): string {
  const words = cause instanceof Error ? cause.message : "";
  // An error over several addresses has no message of its own.
  return words === "" ? (code ?? "") : words;
}

function adviseOn(code: string | undefined, baseUrl: string): string {
  if (code === "ECONNREFUSED") {
    return `Nothing listens at ${baseUrl}: is it running, and is the port right?`;
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `The host name of ${baseUrl} does not resolve: check the base URL and the network.`;
  }
  return checkReach;
}
