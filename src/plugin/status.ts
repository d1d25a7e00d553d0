import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Metadata, type ServiceError, status as statusCode } from "@grpc/grpc-js";
import { ErrorResourceInitFailedSchema } from "./wire/protocol_pb.ts";
import { StatusSchema } from "./wire/status_pb.ts";

/** A resource was created or changed in part. The engine stores what is told of it. */
export class PartialFailure extends Error {
  readonly details: MessageInitShape<typeof ErrorResourceInitFailedSchema>;

  constructor(message: string, details: MessageInitShape<typeof ErrorResourceInitFailedSchema>) {
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
    const details = [anyPack(ErrorResourceInitFailedSchema, create(ErrorResourceInitFailedSchema, error.details))];
    const status = create(StatusSchema, { code, message, details });
    metadata.set("grpc-status-details-bin", Buffer.from(toBinary(StatusSchema, status)));
  }
  return Object.assign(new Error(message), { code, details: message, metadata });
}
