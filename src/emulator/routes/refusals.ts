import { InvalidRequest, invalid, NotFound } from "../http/problems.ts";

/** Does work whose errors are the caller's: turns what it throws into a 422, save what has an answer already. */
export function refused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotFound || error instanceof InvalidRequest) throw error;
    throw invalid(["body"], error instanceof Error ? error.message : String(error));
  }
}

/** The same for work without a result. */
export function done(work: () => void): { readonly done: true } {
  refused(work);
  return { done: true };
}
