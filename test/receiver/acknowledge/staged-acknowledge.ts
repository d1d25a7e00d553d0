import {
  acknowledge,
  type FunctionUrlRequest,
  type FunctionUrlResponse,
} from "../../../src/receiver/acknowledge/acknowledge.ts";
import { allowedSourcesSchema } from "../../../src/receiver/acknowledge/allowed-sources.ts";
import type { LogEntry } from "../../../src/receiver/log.ts";
import { sha256 } from "../sha256.ts";

export const token = "kq3vWm0R8sJd2LxYb7NcTg";
export const olderToken = "Zz9yXx8wVv7uTt6sRr5qPp";

export interface Stage {
  send(request: { [Key in keyof FunctionUrlRequest]?: FunctionUrlRequest[Key] } & Sender): Promise<FunctionUrlResponse>;
  /** What the queue has. */
  readonly kept: readonly string[];
  readonly logged: readonly LogEntry[];
}

export interface Sender {
  readonly method?: string | undefined;
  readonly sourceIp?: string | undefined;
}

export interface StageOptions {
  readonly keep?: ((message: string, signal: AbortSignal) => Promise<void>) | undefined;
  readonly allowedSources?: string | undefined;
  readonly deadlineSeconds?: number | undefined;
}

/** The acknowledging function with a queue that keeps all, unless another is given. */
export function stage({ keep, allowedSources = "", deadlineSeconds }: StageOptions = {}): Stage {
  const kept: string[] = [];
  const logged: LogEntry[] = [];
  const ports = {
    keep: keep ?? (async (message: string) => void kept.push(message)),
    tokenDigests: [token, olderToken].map((text) => Buffer.from(sha256(text), "hex")),
    isAllowedSource: allowedSourcesSchema.parse(allowedSources),
    log: (entry: LogEntry) => void logged.push(entry),
    deadlineSeconds,
  };
  return {
    kept,
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
