import type { Agent } from "undici";
import {
  codeOf,
  type Exchange,
  type ExchangeFailure,
  failureFrom,
  type HttpRequest,
  type HttpResponse,
} from "./exchange.ts";
import { errorFromExchange } from "./exchange-error.ts";
import type { FailedAttempt } from "./failed-attempt.ts";
import type { Transport } from "./send.ts";

/** Requests a log at its signed address. Never rejects. */
export type OpenLog<Log> = (request: HttpRequest, attempt: FailedAttempt) => Promise<OpenedLog<Log>>;

/** A response with a log, or why there is none. The log is empty where the status is not 200. */
export type OpenedLog<Log> = (Pick<HttpResponse, "status" | "header"> & { log: Log }) | { failure: ExchangeFailure };

/** Reads the whole log as a string. Invalid UTF-8 in a log becomes replacement characters, as the rest is still useful. */
export function openText(exchange: Exchange): OpenLog<string> {
  return async (request) => {
    const result = await exchange(request);
    return "failure" in result ? result : { ...result.response, log: result.response.body.toString("utf8") };
  };
}

/** Opens the log as a stream that fails with an `ApiError`. `callTimeoutSeconds` limits the time without a new byte. */
export function openStream(agent: Agent, { settings, redact }: Transport): OpenLog<ReadableStream<Uint8Array>> {
  const timeoutMilliseconds = settings.callTimeoutSeconds * 1000;
  return async (request, attempt) => {
    try {
      const { statusCode, headers, body } = await agent.request({
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: "GET",
        headers: request.headers,
        headersTimeout: timeoutMilliseconds,
        bodyTimeout: timeoutMilliseconds,
      });
      if (statusCode !== 200) {
        body.on("error", () => {}).destroy();
      }
      const log = streamOf(body, (cause) =>
        errorFromExchange(
          { ...attempt, status: statusCode },
          exchangeFailureFrom(cause, request.url),
          settingsAt(request.url),
          redact,
        ),
      );
      return { status: statusCode, header: (name) => [headers[name]].flat()[0], log };
    } catch (cause) {
      return { failure: exchangeFailureFrom(cause, request.url) };
    }
  };

  function settingsAt(url: URL) {
    return { ...settings, baseUrl: url.origin };
  }
}

interface Body extends AsyncIterable<unknown> {
  destroy: () => unknown;
}

function streamOf(body: Body, translate: (cause: unknown) => Error): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next().catch((cause: unknown) => {
          throw translate(cause);
        });
        if (next.done) {
          controller.close();
        } else if (next.value instanceof Uint8Array) {
          controller.enqueue(next.value);
        }
      },
      cancel() {
        body.destroy();
      },
    },
    // Nothing is read ahead: a log that nobody reads must not fill the memory.
    { highWaterMark: 0 },
  );
}

function exchangeFailureFrom(error: unknown, url: URL): ExchangeFailure {
  const failure = failureFrom(error, url);
  const code = codeOf(failure.cause) ?? "";
  const isConnected = code.startsWith("UND_ERR_") || code === "ECONNRESET" || failure.kind === "not-http";
  return { wasSent: isConnected && failure.kind !== "connect-timeout", ...failure };
}
