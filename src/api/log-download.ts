import { isAllowedAddress } from "./client-options.ts";
import { type ApiError, UnexpectedResponseError } from "./errors.ts";
import type { HttpRequest } from "./exchange.ts";
import { errorFromExchange, isTransient } from "./exchange-error.ts";
import { type Failure, factsOf, messageOf } from "./failure.ts";
import type { Opened } from "./log-stream.ts";
import { type Attempt, retryAfterSecondsFrom } from "./retry.ts";
import type { Send, Sender } from "./send.ts";

/**
 * Downloads a log (specification, "Runs": a redirect to a signed address, valid for 15 minutes). The signed address gets neither the API
 * key nor a place in any message, for it is a secret itself. Refused there, it is taken for expired and fetched anew, once.
 */
export type LogDownload = <Log>(logPath: string, open: OpenLog<Log>) => Promise<Log>;

/** Requests the log at its signed address. Never rejects. */
export type OpenLog<Log> = (request: HttpRequest, failure: Failure) => Promise<Opened<Log>>;

export function createLogDownload(send: Send, sender: Sender): LogDownload {
  async function attemptDownload<Log>(logPath: string, open: OpenLog<Log>): Promise<Downloaded<Log>> {
    const url = await signedUrl(send, sender, logPath);
    return sender.retry((attempts) => downloadOnce(sender, url, failureAt(logPath, attempts), open));
  }

  return async (logPath, open) => {
    const first = await attemptDownload(logPath, open);
    const last = "refusal" in first ? await attemptDownload(logPath, open) : first;
    if ("refusal" in last) {
      throw last.refusal;
    }
    return last.log;
  };
}

type Downloaded<Log> = { log: Log } | { refusal: ApiError };

async function signedUrl(send: Send, { settings }: Sender, logPath: string): Promise<URL> {
  const response = await send({ method: "GET", path: logPath }, "redirect");
  const location = response.header("location") ?? "";
  const base = settings.baseUrl + logPath;
  const url = location !== "" && URL.canParse(location, base) ? new URL(location, base) : undefined;
  if (url === undefined || !isAllowedAddress(url, settings.allowInsecureHttp)) {
    const problem = "a redirect to no address, or to one that is neither https nor allowed plain http";
    throw undocumented({ ...failureAt(logPath, 1), status: response.status }, problem);
  }
  return url;
}

async function downloadOnce<Log>(
  { settings, redact }: Sender,
  url: URL,
  failure: Failure,
  open: OpenLog<Log>,
): Promise<Attempt<Downloaded<Log>>> {
  const opened = await open({ method: "GET", url, headers: { "user-agent": "pulumi-integration-platform" } }, failure);
  if ("failure" in opened) {
    const atStorage = { ...settings, baseUrl: url.origin };
    const error = errorFromExchange({ ...failure, status: opened.failure.status }, opened.failure, atStorage, redact);
    return { error, isWorthRepeating: isTransient(opened.failure) };
  }
  const { status, header, log } = opened;
  if (status === 200) {
    return { value: { log } };
  }
  const refusal = undocumented({ ...failure, status }, `the log's storage, ${url.origin}, refused its signed address`);
  if (status === 429 || status >= 500) {
    return { error: refusal, isWorthRepeating: true, retryAfterSeconds: retryAfterSecondsFrom(header) };
  }
  return { value: { refusal } };
}

function failureAt(logPath: string, attempts: number): Failure {
  return { method: "GET", path: logPath, attempts, mayHaveBeenApplied: false };
}

function undocumented(failure: Failure, problem: string): UnexpectedResponseError {
  const message = messageOf(failure, "the log cannot be downloaded", problem, "Try again later.");
  return new UnexpectedResponseError(message, factsOf(failure));
}
