import { Busy, InvalidRequest, NotFound, ProxyFailure } from "../rules/problems.ts";

export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

/** Specification, "Error shapes": an ErrorMessage. */
export function errorMessage(status: number, message: string): Response {
  return json({ message }, status);
}

/** The response to an error that an operation threw: 500 for an error that is a defect of the emulator. */
export function errorResponse(error: unknown): Response {
  if (error instanceof NotFound) return errorMessage(404, error.message);
  if (error instanceof Busy) return errorMessage(error.status, error.message);
  if (error instanceof InvalidRequest) return json({ detail: error.details }, 422); // an HTTPValidationError
  if (error instanceof ProxyFailure) return json({ detail: error.message }, 400);
  console.error("emulator: unexpected error", error);
  return errorMessage(500, "Internal Server Error");
}

/** The response for a path that has no route. */
export function notFoundResponse(): Response {
  return json({ detail: "Not Found" }, 404);
}
