import type { Agent, Dispatcher } from "undici";
import { ProxyConnectionError } from "./agent.ts";
import type { Settings } from "./client-options.ts";
import type { PlatformClock } from "./platform-clock.ts";
import { type HttpProxy, proxyOf } from "./proxy.ts";

export type HttpMethod = "GET" | "POST" | "PATCH" | "DELETE";

/** A request as it is sent. */
export interface HttpRequest {
  method: HttpMethod;
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** A complete response. */
export interface HttpResponse {
  status: number;
  header: (name: string) => string | undefined;
  body: Buffer;
}

/** Why there is no complete response. */
export interface ExchangeFailure {
  kind: "network" | "connect-timeout" | "call-timeout" | "too-large" | "not-http";
  /** False where certainly no byte of the request was sent. */
  wasSent: boolean;
  /** The status, where the response broke off after it. */
  status?: number | undefined;
  cause?: unknown;
  /** The proxy of the request. */
  proxy?: HttpProxy | undefined;
  /** The status with which the proxy has refused the request. */
  proxyStatus?: number | undefined;
  /** Whether there was no connection to the proxy itself. */
  isAtProxy?: boolean;
}

export type ExchangeResult = { response: HttpResponse } | { failure: ExchangeFailure };

/** Sends one request and reads its response, without retries and redirects. Never rejects. All calls but streams go through it. */
export type Exchange = (request: HttpRequest) => Promise<ExchangeResult>;

/** @param clock observes the `Date` header of every response of the platform, whatever its status and completeness. */
export function createExchange(agent: Agent, settings: Settings, clock: PlatformClock): Exchange {
  const platformOrigin = new URL(settings.baseUrl).origin;
  return (request) =>
    new Promise((resolve) => {
      // A log comes from a storage, whose clock may differ from the platform's.
      const onDate = request.url.origin === platformOrigin ? clock.observe : () => {};
      const handler = createHandler(request.url, settings, onDate, resolve);
      agent.dispatch(
        {
          origin: request.url.origin,
          path: request.url.pathname + request.url.search,
          method: request.method,
          headers: request.headers,
          body: request.body ?? null,
          // Zero turns undici's timeouts off: the handler's own timer covers the whole attempt.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        handler,
      );
    });
}

function createHandler(
  url: URL,
  settings: Settings,
  onDate: PlatformClock["observe"],
  resolve: (result: ExchangeResult) => void,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  let controller: Dispatcher.DispatchController | undefined;
  let head: Omit<HttpResponse, "body"> | undefined;
  let isFinished = false;

  function finish(result: ExchangeResult) {
    isFinished = true;
    clearTimeout(timer);
    resolve(result);
  }

  function fail(facts: ReturnType<typeof failureFrom>) {
    if (isFinished) return;
    if (head !== undefined && head.status >= 300) {
      // An error's status says more than the reason why its body is incomplete.
      finish({ response: { ...head, body: Buffer.concat(chunks) } });
    } else {
      finish({ failure: { wasSent: controller !== undefined, status: head?.status, ...facts } });
    }
    controller?.abort(new Error("aborted by the client"));
  }

  const timer = setTimeout(
    () => fail({ kind: "call-timeout", proxy: proxyOf(url, process.env) }),
    settings.callTimeoutSeconds * 1000,
  );

  return {
    // undici calls this when the connection is open, just before it writes the first byte.
    onRequestStart(started) {
      if (isFinished) {
        started.abort(new Error("aborted by the client"));
        return;
      }
      controller = started;
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) return;
      head = { status, header: (name) => firstOf(headers[name]) };
      onDate(head.header("date"));
      if (status < 300 && Number(head.header("content-length")) > settings.maxResponseBytes)
        fail({ kind: "too-large" });
    },
    onResponseData(_controller, chunk) {
      receivedBytes += chunk.length;
      if (receivedBytes > maxBytesOf(head, settings)) {
        fail({ kind: "too-large" });
        return;
      }
      chunks.push(chunk);
    },
    onResponseEnd() {
      if (!isFinished && head !== undefined) finish({ response: { ...head, body: Buffer.concat(chunks) } });
    },
    onResponseError(_controller, error) {
      fail(failureFrom(error, url));
    },
  };
}

/** An error's message shows at most 300 characters, so more of the body is not needed. */
const maxErrorBytes = 1024 * 1024;

function maxBytesOf(head: Omit<HttpResponse, "body"> | undefined, { maxResponseBytes }: Settings): number {
  return head !== undefined && head.status >= 300 ? Math.min(maxErrorBytes, maxResponseBytes) : maxResponseBytes;
}

/** What an error of undici means. */
export function failureFrom(error: unknown, url: URL): Omit<ExchangeFailure, "wasSent"> & { wasSent?: false } {
  const proxy = proxyOf(url, process.env);
  const proxyStatus = proxy === undefined ? undefined : proxyStatusIn(error);
  const isAtProxy = error instanceof ProxyConnectionError;
  const cause = isAtProxy ? error.cause : error;
  const isUnsent = isAtProxy || proxyStatus !== undefined;
  return { kind: failureKindOf(cause), cause, proxy, proxyStatus, isAtProxy, ...(isUnsent && { wasSent: false }) };
}

/** The status of a proxy's own answer: undici has it only in its messages. */
function proxyStatusIn(error: unknown): number | undefined {
  const [, status] = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(Object(error).message) ?? [];
  return status === undefined ? undefined : Number(status);
}

function failureKindOf(error: unknown): ExchangeFailure["kind"] {
  const code = codeOf(error) ?? "";
  if (code === "UND_ERR_CONNECT_TIMEOUT") return "connect-timeout";
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") return "call-timeout";
  const isParserError = code.startsWith("HPE_") || (error instanceof Error && error.name === "HTTPParserError");
  return isParserError ? "not-http" : "network";
}

/** The system's code of an error; of an error over several addresses of one host, the first address's. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
