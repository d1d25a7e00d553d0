/** Specification, "Error shapes": ValidationError. */
export interface ValidationDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** Something does not exist. The response is a 404 with an ErrorMessage. */
export class NotFound extends Error {
  override readonly name = "NotFound";
}

/** A tenant cannot be changed now. The response is an ErrorMessage with this status. */
export class Busy extends Error {
  override readonly name = "Busy";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A request is not valid. The response is a 422 with an HTTPValidationError. */
export class InvalidRequest extends Error {
  override readonly name = "InvalidRequest";
  readonly details: readonly ValidationDetail[];

  constructor(details: readonly ValidationDetail[]) {
    super(details.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "));
    this.details = details;
  }
}

/** An InvalidRequest with one problem of one value. */
export function invalid(loc: readonly (string | number)[], msg: string, input?: unknown): InvalidRequest {
  return new InvalidRequest([{ loc, msg, type: "value_error", ...(input === undefined ? {} : { input }) }]);
}

/** The platform could not make a proxy call. The response is a 400 with a ProxyInternalError. */
export class ProxyFailure extends Error {
  override readonly name = "ProxyFailure";
}

/** Runs work whose errors the caller of the emulator caused, and turns them into an InvalidRequest. */
export function asInvalidRequest<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotFound || error instanceof InvalidRequest) throw error;
    throw invalid(["body"], error instanceof Error ? error.message : String(error));
  }
}
