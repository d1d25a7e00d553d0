import { Agent, type Dispatcher } from "undici";
import type { Settings } from "./client-options.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** A request as it goes over the wire. */
export interface HttpRequest {
  method: Method;
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** An answer as it came over the wire, read to its end. */
export interface HttpResponse {
  status: number;
  header: (name: string) => string | undefined;
  body: Buffer;
}

/** Why there is no whole answer. */
export interface ExchangeFailure {
  kind: "network" | "connect-timeout" | "call-timeout" | "too-large" | "not-http";
  /** False when surely no byte of the request left. */
  wasSent: boolean;
  /** The status, when the answer broke off after it. */
  status?: number | undefined;
  cause?: unknown;
}

export type Exchanged = { response: HttpResponse } | { failure: ExchangeFailure };

/** The one place where the network is touched: one request, one answer, nothing retried, no redirect followed. Never rejects. */
export type Exchange = (request: HttpRequest) => Promise<Exchanged>;

export function createAgent(settings: Settings): Agent {
  // HTTP/1.1 only: the certainty that a request was not sent rests on its order of events.
  return new Agent({
    allowH2: false,
    pipelining: 1,
    // Said aloud, it outranks NODE_TLS_REJECT_UNAUTHORIZED: nothing turns the check of certificates off.
    connect: { timeout: settings.connectTimeoutSeconds * 1000, rejectUnauthorized: true },
  });
}

export function createExchange(agent: Agent, settings: Settings): Exchange {
  return (request) =>
    new Promise((resolve) => {
      const handler = createHandler(settings, resolve);
      agent.dispatch(
        {
          origin: request.url.origin,
          path: request.url.pathname + request.url.search,
          method: request.method,
          headers: request.headers,
          body: request.body ?? null,
          // One timer of our own covers the whole attempt.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        handler,
      );
    });
}

function createHandler(settings: Settings, resolve: (exchanged: Exchanged) => void): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  let controller: Dispatcher.DispatchController | undefined;
  let head: Omit<HttpResponse, "body"> | undefined;
  let isSettled = false;

  function settle(exchanged: Exchanged) {
    isSettled = true;
    clearTimeout(timer);
    resolve(exchanged);
  }

  function fail(kind: ExchangeFailure["kind"], cause?: unknown) {
    if (isSettled) {
      return;
    }
    if (head !== undefined && head.status >= 300) {
      // The status says more than the way in which the error's own text was cut off.
      settle({ response: { ...head, body: Buffer.concat(chunks) } });
    } else {
      settle({ failure: { kind, wasSent: controller !== undefined, status: head?.status, cause } });
    }
    controller?.abort(new Error("given up"));
  }

  const timer = setTimeout(() => fail("call-timeout"), settings.callTimeoutSeconds * 1000);

  return {
    // undici calls this when the connection stands, just before the first byte is written.
    onRequestStart(started) {
      if (isSettled) {
        started.abort(new Error("given up"));
        return;
      }
      controller = started;
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) {
        return;
      }
      head = { status, header: (name) => firstOf(headers[name]) };
      if (status < 300 && Number(head.header("content-length")) > settings.maxResponseBytes) {
        fail("too-large");
      }
    },
    onResponseData(_controller, chunk) {
      receivedBytes += chunk.length;
      if (receivedBytes > limitFor(head, settings)) {
        fail("too-large");
        return;
      }
      chunks.push(chunk);
    },
    onResponseEnd() {
      if (!isSettled && head !== undefined) {
        settle({ response: { ...head, body: Buffer.concat(chunks) } });
      }
    },
    onResponseError(_controller, error) {
      fail(failureKindOf(error), error);
    },
  };
}

/** Of an error only the first words are told, so that more of it need not be read. */
const maxErrorBytes = 1024 * 1024;

function limitFor(head: Omit<HttpResponse, "body"> | undefined, { maxResponseBytes }: Settings): number {
  return head !== undefined && head.status >= 300 ? Math.min(maxErrorBytes, maxResponseBytes) : maxResponseBytes;
}

/** What an error of undici means. */
export function failureKindOf(error: unknown): ExchangeFailure["kind"] {
  const code = codeOf(error) ?? "";
  if (code === "UND_ERR_CONNECT_TIMEOUT") {
    return "connect-timeout";
  }
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return "call-timeout";
  }
  const isParserError = code.startsWith("HPE_") || (error instanceof Error && error.name === "HTTPParserError");
  return isParserError ? "not-http" : "network";
}

/** The system's code of an error; of several attempts at one host's addresses, the first's. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) {
    return codeOf(error.errors[0]);
  }
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
