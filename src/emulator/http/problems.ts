/** Specification, "Error shapes": ValidationError. */
export interface ValidationDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** Something that is not there. Answered as 404 with an ErrorMessage. */
export class NotFound extends Error {
  override readonly name = "NotFound";
}

/** A request that is not as documented. Answered as 422 with an HTTPValidationError. */
export class InvalidRequest extends Error {
  override readonly name = "InvalidRequest";
  readonly details: readonly ValidationDetail[];

  constructor(details: readonly ValidationDetail[]) {
    super(details.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "));
    this.details = details;
  }
}

/** One thing wrong with one value of a request. */
export function invalid(loc: readonly (string | number)[], msg: string, input?: unknown): InvalidRequest {
  return new InvalidRequest([{ loc, msg, type: "value_error", ...(input === undefined ? {} : { input }) }]);
}

/** A proxy call that the platform could not make. Answered as 400 with a ProxyInternalError. */
export class ProxyFailure extends Error {
  override readonly name = "ProxyFailure";
}
