import { Metadata, type ServiceError, status as statusCode } from "@grpc/grpc-js";
import { type Encodable, encode } from "./wire/message.ts";
import { errorResourceInitFailed, status } from "./wire/protocol.ts";

/** A resource was created or changed in part. The engine stores what is told of it. */
export class PartialFailure extends Error {
  readonly details: Encodable<typeof errorResourceInitFailed>;

  constructor(message: string, details: Encodable<typeof errorResourceInitFailed>) {
    super(message);
    this.details = details;
  }
}

/** An error as gRPC sends it. Its text must be well-formed: see `shownText` of `src/provider/messages.ts`. */
export function toServiceError(error: unknown): ServiceError {
  const message = (error instanceof Error ? error.message : String(error)).toWellFormed();
  const metadata = new Metadata();
  const code = statusCode.UNKNOWN;
  if (error instanceof PartialFailure) {
    const typeUrl = "type.googleapis.com/pulumirpc.ErrorResourceInitFailed";
    const details = [{ typeUrl, value: encode(errorResourceInitFailed, error.details) }];
    metadata.set("grpc-status-details-bin", Buffer.from(encode(status, { code, message, details })));
  }
  return Object.assign(new Error(message), { code, details: message, metadata });
}
