import pLimit from "p-limit";
import {
  ApiError,
  AuthenticationError,
  type Client,
  NetworkError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
} from "../../api/index.ts";
import { mayBeRefusedUnconnected } from "../../resources/tenant/waiting.ts";

/** A tenant to write. */
export interface Target {
  id: number;
  integrationId: number;
}

/** Why a request failed. */
export interface Failure {
  problem: string;
  /** Whether the same request may succeed soon. */
  isTemporary: boolean;
  /** Whether the platform may have refused it because the tenant is not connected. */
  mayWait?: boolean;
}

/** Requests at once. The client has a limit of its own, and spaces them out if the platform limits their rate. */
const concurrency = 20;

/** After so many failures in a row that say nothing about a single tenant, no more requests are sent. */
const failuresInRowMaximum = 40;

/**
 * Sends a PATCH of `paused` alone for each tenant. Returns the failures by the ids of the tenants.
 *
 * Once the API key is refused, or the platform does not answer at all, the rest is not tried.
 */
export async function patchAll(
  client: Client,
  targets: readonly Target[],
  paused: boolean,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<Map<number, Failure>> {
  const failures = new Map<number, Failure>();
  const limit = pLimit(concurrency);
  let done = 0;
  let failuresInRow = 0;
  let stopped: Failure | undefined;

  const patch = async ({ id }: Target) => {
    try {
      await client.tenants.update(id, { paused });
      failuresInRow = 0;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isTemporary = temporaryErrors.some((kind) => error instanceof kind);
      failures.set(id, { problem: error.message, isTemporary, mayWait: mayBeRefusedUnconnected(error) });
      failuresInRow = isTemporary ? failuresInRow + 1 : 0;
      if (error instanceof AuthenticationError) {
        stopped ??= { problem: "not tried, because the API key was refused before", isTemporary: false };
      } else if (failuresInRow >= failuresInRowMaximum) {
        const problem = `not tried, because ${failuresInRow} requests in a row failed before: ${error.message}`;
        stopped ??= { problem, isTemporary: true };
      }
    }
  };
  const tasks = targets.map((target) =>
    limit(async () => {
      if (stopped === undefined) await patch(target);
      else failures.set(target.id, stopped);
      done += 1;
      onProgress(done, targets.length);
    }),
  );
  await Promise.all(tasks);
  return failures;
}

const temporaryErrors = [NetworkError, RateLimitError, ServerError, TimeoutError, UnexpectedResponseError];
