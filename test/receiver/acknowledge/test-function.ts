import { acknowledge, type FunctionUrlResponse } from "../../../src/receiver/acknowledge/acknowledge.ts";
import { allowedSourcesSchema } from "../../../src/receiver/acknowledge/allowed-sources.ts";
import type { FunctionUrlRequest } from "../../../src/receiver/acknowledge/request.ts";
import type { LedgerRecord } from "../../../src/receiver/ledger/ledger.ts";
import type { LogEntry } from "../../../src/receiver/log.ts";
import { sha256 } from "../sha256.ts";

export const token = "kq3vWm0R8sJd2LxYb7NcTg";
export const olderToken = "Zz9yXx8wVv7uTt6sRr5qPp";

/** The acknowledging function with a queue in memory. */
export interface TestFunction {
  send(request: { [Key in keyof FunctionUrlRequest]?: FunctionUrlRequest[Key] } & Sender): Promise<FunctionUrlResponse>;
  /** The messages in the queue. */
  readonly queue: readonly string[];
  readonly logged: readonly LogEntry[];
}

export interface Sender {
  readonly method?: string | undefined;
  readonly sourceIp?: string | undefined;
}

export interface TestFunctionOptions {
  /** Replaces the queue in memory. */
  readonly enqueue?: ((message: string, signal: AbortSignal) => Promise<void>) | undefined;
  /** Stores what the queue did not store. Default: it fails. */
  readonly putUnqueued?: ((record: LedgerRecord) => Promise<void>) | undefined;
  readonly allowedSources?: string | undefined;
  readonly deadlineSeconds?: number | undefined;
  /** The valid tokens, the newest first. Default: both, as in a rotation. */
  readonly tokens?: readonly string[];
}

export function testFunction({
  enqueue,
  putUnqueued = () => Promise.reject(new Error("no ledger")),
  allowedSources = "",
  deadlineSeconds,
  tokens = [token, olderToken],
}: TestFunctionOptions = {}): TestFunction {
  const queue: string[] = [];
  const logged: LogEntry[] = [];
  const ports = {
    enqueue: enqueue ?? (async (message: string) => void queue.push(message)),
    putUnqueued,
    tokenDigests: tokens.map((valid) => Buffer.from(sha256(valid), "hex")),
    isAllowedSource: allowedSourcesSchema.parse(allowedSources),
    log: (entry: LogEntry) => void logged.push(entry),
    deadlineSeconds,
  };
  return {
    queue,
    logged,
    send: ({ method = "POST", sourceIp = "192.0.2.7", ...request }) =>
      acknowledge(
        {
          rawQueryString: `token=${token}`,
          requestContext: { http: { method, sourceIp } },
          isBase64Encoded: false,
          ...request,
        },
        ports,
      ),
  };
}
