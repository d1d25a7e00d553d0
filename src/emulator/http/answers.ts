import { InvalidRequest, NotFound, ProxyFailure, type ValidationDetail } from "./problems.ts";

/** A JSON answer. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

/** Specification, "Error shapes": an ErrorMessage. */
export function errorMessage(status: number, message: string): Response {
  return json({ message }, status);
}

/** Specification, "Error shapes": an HTTPValidationError. */
export function validationError(details: readonly ValidationDetail[]): Response {
  return json({ detail: details }, 422);
}

/** The answer to an error that an operation threw; 500 for one that should not have happened. */
export function answerToError(error: unknown): Response {
  if (error instanceof NotFound) return errorMessage(404, error.message);
  if (error instanceof InvalidRequest) return validationError(error.details);
  if (error instanceof ProxyFailure) return json({ detail: error.message }, 400);
  console.error("emulator: unexpected error", error);
  return errorMessage(500, "Internal Server Error");
}

/**
 * Runs a handler of one of the endpoints whose 422 is an ErrorMessage: the build request and the sync by integration.
 */
export function refusingInWords(handle: () => Response): Response {
  try {
    return handle();
  } catch (error) {
    if (error instanceof InvalidRequest) return errorMessage(422, error.message);
    throw error;
  }
}

/** The answer where there is no such route. */
export function unknownRoute(): Response {
  return json({ detail: "Not Found" }, 404);
}
