import { Metadata } from "@grpc/grpc-js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import status from "@pulumi/pulumi/proto/status_pb.js";
import type { Properties } from "./host-kinds.ts";

/** The state that the engine keeps of an incomplete resource. */
export interface PartialFailure {
  id: string;
  /** All of them: without `__provider` the resource could not be read any more. */
  properties: Properties;
  reasons: string[];
}

/** The partial failure in a call's error. `undefined` if there is none. */
export function partialFailureOf(error: unknown): PartialFailure | undefined {
  const metadata = Object(error).metadata;
  const [bytes] = metadata instanceof Metadata ? metadata.get("grpc-status-details-bin") : [];
  if (!Buffer.isBuffer(bytes)) return undefined;
  const [detail] = status.Status.deserializeBinary(bytes).getDetailsList();
  const failure = detail?.unpack(
    provider.ErrorResourceInitFailed.deserializeBinary,
    "pulumirpc.ErrorResourceInitFailed",
  );
  if (!failure) throw new Error("the details are of another kind");
  return {
    id: failure.getId(),
    properties: failure.getProperties()?.toJavaScript() ?? {},
    reasons: failure.getReasonsList(),
  };
}
