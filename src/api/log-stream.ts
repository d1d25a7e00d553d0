import type { Agent } from "undici";
import { codeOf, type Exchange, type ExchangeFailure, failureKindOf, type HttpResponse } from "./exchange.ts";
import { errorFromExchange } from "./exchange-error.ts";
import type { OpenLog } from "./log-download.ts";
import type { Sender } from "./send.ts";

/** A log that was answered, or why it was not. With another status than 200 the log is empty. */
export type Opened<Log> = (Pick<HttpResponse, "status" | "header"> & { log: Log }) | { failure: ExchangeFailure };

/** The whole log as text; a byte that is not UTF-8 must not withhold the rest. */
export function openText(exchange: Exchange): OpenLog<string> {
  return async (request) => {
    const exchanged = await exchange(request);
    return "failure" in exchanged
      ? exchanged
      : { ...exchanged.response, log: exchanged.response.body.toString("utf8") };
  };
}

/** The log as a stream that fails with an `ApiError`. `callTimeoutSeconds` is the longest silence. */
export function openStream(agent: Agent, { settings, redact }: Sender): OpenLog<ReadableStream<Uint8Array>> {
  const silenceMilliseconds = settings.callTimeoutSeconds * 1000;
  return async (request, failure) => {
    try {
      const { statusCode, headers, body } = await agent.request({
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: "GET",
        headers: request.headers,
        headersTimeout: silenceMilliseconds,
        bodyTimeout: silenceMilliseconds,
      });
      if (statusCode !== 200) {
        body.on("error", () => {}).destroy();
      }
      const log = streamOf(body, (cause) =>
        errorFromExchange(
          { ...failure, status: statusCode },
          exchangeFailureFrom(cause),
          settingsAt(request.url),
          redact,
        ),
      );
      return { status: statusCode, header: (name) => [headers[name]].flat()[0], log };
    } catch (cause) {
      return { failure: exchangeFailureFrom(cause) };
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
    // Nothing is read ahead: a log that nobody reads must not be pulled into memory.
    { highWaterMark: 0 },
  );
}

function exchangeFailureFrom(cause: unknown): ExchangeFailure {
  const kind = failureKindOf(cause);
  const code = codeOf(cause) ?? "";
  const isConnected = code.startsWith("UND_ERR_") || code === "ECONNRESET" || kind === "not-http";
  return { kind, wasSent: isConnected && kind !== "connect-timeout", cause };
}
