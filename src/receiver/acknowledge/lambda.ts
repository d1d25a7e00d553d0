import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { jsonLog } from "../log.ts";
import { acknowledge, type FunctionUrlRequest, type FunctionUrlResponse } from "./acknowledge.ts";
import { environmentSchema } from "./environment.ts";

// Read once per cold start: a function that is set up wrongly fails at once and not webhook by webhook.
const environment = environmentSchema.parse(process.env);

// One retry fits into the deadline. A request that is merely slow has to become an error, or it would not be retried.
const sqs = new SQSClient({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_500, throwOnRequestTimeout: true },
});

/** The acknowledging function, behind a function URL. */
export function handler(request: FunctionUrlRequest): Promise<FunctionUrlResponse> {
  return acknowledge(request, {
    keep,
    tokenDigests: environment.TOKEN_DIGESTS,
    isAllowedSource: environment.ALLOWED_SOURCES,
    log: jsonLog,
  });
}

async function keep(message: string, signal: AbortSignal): Promise<void> {
  const command = new SendMessageCommand({ QueueUrl: environment.QUEUE_URL, MessageBody: message });
  await sqs.send(command, { abortSignal: signal });
}
