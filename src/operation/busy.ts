import { ApiError } from "../api/index.ts";
import type { OperationContext } from "./operation-context.ts";
import { attempts } from "./poll.ts";

/** A shorter wait is not announced. */
export const quietSeconds = 3;

/**
 * Sends a write of a tenant, and again as long as the platform is busy with the tenant: 423 (Locked), and 409 (Conflict) of a tenant
 * that may have a run. It waits as long as a run may take.
 *
 * @param what the tenant in messages, such as `tenant "acme" (id 5)`.
 * @param mayRun whether the tenant is connected, or may be. Without a connection there is no run, so 409 has another reason.
 * @throws Error if the platform is still busy after that time.
 */
export async function whileBusy<Result>(
  { busyTimeoutSeconds: deadlineSeconds, signal, note, onBusy }: OperationContext,
  { what, mayRun }: { what: string; mayRun: boolean },
  request: () => Promise<Result>,
): Promise<Result> {
  const begun = performance.now();
  let isBusy = false;
  for await (const { isLast } of attempts({ deadlineSeconds, pauses: { first: 0.5, longest: 10 }, signal })) {
    try {
      return await request();
    } catch (error) {
      const status = error instanceof ApiError ? error.status : undefined;
      if (status !== 423 && !(status === 409 && mayRun)) throw error;
      if (isLast) throw stillBusy(what, deadlineSeconds, error);
    }
    if (!isBusy) for (const begin of onBusy) begin();
    isBusy = true;
    if (performance.now() - begun < quietSeconds * 1000) continue;
    note(
      "the platform is busy with some tenants (409 or 423), probably with their runs: " +
        `up waits for each of them, for ${Math.round(deadlineSeconds / 60)} minutes at most`,
    );
  }
  throw new Error("unreachable: the last attempt throws");
}

function stillBusy(what: string, seconds: number, cause: unknown): Error {
  return new Error(
    `${what} has been busy for ${seconds} s: the platform still answers that a run or another change of it is in progress. ` +
      "Look at its run in the console, then run up again",
    { cause },
  );
}
