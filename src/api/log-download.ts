import { isAllowedUrl } from "./base-url.ts";
import { type ApiError, UnexpectedResponseError } from "./errors.ts";
import { errorFromExchange, isTransient } from "./exchange-error.ts";
import { errorFacts, errorMessage, type FailedAttempt } from "./failed-attempt.ts";
import type { OpenLog } from "./log-stream.ts";
import { userAgent } from "./request.ts";
import { type Attempt, retryAfterSecondsFrom } from "./retry.ts";
import type { Send, Transport } from "./send.ts";

/**
 * Downloads a log (specification, "Runs": a redirect to a signed address that is valid for 15 minutes). The API key is not
 * sent to the signed address. No message shows the signed address, as it is a secret. Where the storage refuses it, it has
 * probably expired: a new one is requested, once.
 */
export type LogDownload = <Log>(logPath: string, open: OpenLog<Log>) => Promise<Log>;

export function createLogDownload(send: Send, transport: Transport): LogDownload {
  async function attemptDownload<Log>(logPath: string, open: OpenLog<Log>): Promise<Downloaded<Log>> {
    const url = await signedUrl(send, transport, logPath);
    return transport.retry((attempts) => downloadOnce(transport, url, attemptAt(logPath, attempts), open));
  }

  return async (logPath, open) => {
    const first = await attemptDownload(logPath, open);
    const last = "refusal" in first ? await attemptDownload(logPath, open) : first;
    if ("refusal" in last) throw last.refusal;
    return last.log;
  };
}

type Downloaded<Log> = { log: Log } | { refusal: ApiError };

async function signedUrl(send: Send, { settings }: Transport, logPath: string): Promise<URL> {
  const response = await send({ method: "GET", path: logPath }, "redirect");
  const location = response.header("location") ?? "";
  const base = settings.baseUrl + logPath;
  const url = location !== "" && URL.canParse(location, base) ? new URL(location, base) : undefined;
  if (url === undefined || !isAllowedUrl(url, settings.allowInsecureHttp)) {
    const reason = "the redirect has no address, or one that is neither https nor allowed plain http";
    throw downloadError({ ...attemptAt(logPath, 1), status: response.status }, reason);
  }
  return url;
}

async function downloadOnce<Log>(
  { settings, redact }: Transport,
  url: URL,
  attempt: FailedAttempt,
  open: OpenLog<Log>,
): Promise<Attempt<Downloaded<Log>>> {
  const opened = await open({ method: "GET", url, headers: { "user-agent": userAgent } }, attempt);
  if ("failure" in opened) {
    const atStorage = { ...settings, baseUrl: url.origin };
    const error = errorFromExchange({ ...attempt, status: opened.failure.status }, opened.failure, atStorage, redact);
    return { error, isRetryable: isTransient(opened.failure) };
  }
  const { status, header, log } = opened;
  if (status === 200) return { value: { log } };
  const reason = `the log's storage, ${url.origin}, refused the signed address`;
  const refusal = downloadError({ ...attempt, status }, reason);
  if (status === 429 || status >= 500) {
    return { error: refusal, isRetryable: true, retryAfterSeconds: retryAfterSecondsFrom(header) };
  }
  return { value: { refusal } };
}

function attemptAt(logPath: string, attempts: number): FailedAttempt {
  return { method: "GET", path: logPath, attempts, mayHaveBeenApplied: false };
}

function downloadError(failed: FailedAttempt, reason: string): UnexpectedResponseError {
  const message = errorMessage(failed, "the log cannot be downloaded", reason, "Try again later.");
  return new UnexpectedResponseError(message, errorFacts(failed));
}
