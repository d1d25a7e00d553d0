import { fileURLToPath } from "node:url";
import type {
  EventBridgeEvent,
  LambdaFunctionURLEvent,
  LambdaFunctionURLResult,
  SQSBatchResponse,
  SQSEvent,
} from "aws-lambda";
import { build } from "esbuild";
import { expect, expectTypeOf, test } from "vitest";
import type { FunctionUrlRequest, FunctionUrlResponse } from "../../src/receiver/acknowledge/acknowledge.ts";
import type { BatchFailures, QueueBatch } from "../../src/receiver/consume/consume-batch.ts";
import type { BusInvocation } from "../../src/receiver/events/index.ts";

/** The packages that a file of the receiver brings along. */
async function packagesOf(file: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL(`../../src/receiver/${file}`, import.meta.url))],
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
    metafile: true,
  });
  const packages = Object.keys(metafile.inputs).flatMap((path) => {
    return /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path)?.[1] ?? [];
  });
  return [...new Set(packages)].sort();
}

test("a user's handlers of events load zod, and neither Pulumi nor AWS", async () => {
  expect(await packagesOf("events/index.ts")).toEqual(["zod"]);
});

test("what the functions do loads no AWS: only their entry points and adapters do", async () => {
  expect(await packagesOf("acknowledge/acknowledge.ts")).toEqual(["zod"]);
  expect(await packagesOf("consume/consume-batch.ts")).toEqual(["zod"]);
  expect(await packagesOf("local/main.ts")).toEqual(["zod"]);
  const clients = (await packagesOf("acknowledge/lambda.ts")).filter((name) => name.startsWith("@aws-sdk/client-"));
  expect(clients).toEqual(["@aws-sdk/client-sqs"]);
});

test("the functions fit what AWS calls them with", () => {
  expectTypeOf<LambdaFunctionURLEvent>().toExtend<FunctionUrlRequest>();
  expectTypeOf<FunctionUrlResponse>().toExtend<LambdaFunctionURLResult>();
  expectTypeOf<SQSEvent>().toExtend<QueueBatch>();
  expectTypeOf<EventBridgeEvent<string, unknown>>().toExtend<BusInvocation>();
  expectTypeOf<BatchFailures>().toExtend<SQSBatchResponse>();
});
