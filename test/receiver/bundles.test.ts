import { fileURLToPath } from "node:url";
import type {
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  EventBridgeEvent,
  LambdaFunctionURLEvent,
  LambdaFunctionURLResult,
  SQSBatchResponse,
  SQSEvent,
} from "aws-lambda";
import { build } from "esbuild";
import { expect, expectTypeOf, test } from "vitest";
import type { FunctionUrlResponse } from "../../src/receiver/acknowledge/acknowledge.ts";
import type { FunctionUrlRequest, RestApiRequest } from "../../src/receiver/acknowledge/request.ts";
import type { BatchFailures, QueueBatch } from "../../src/receiver/consume/consume.ts";
import type { BusInvocation } from "../../src/receiver/events/index.ts";

/** The packages that a file of the receiver imports, directly or indirectly. */
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

test("a user's event handlers load zod, but neither Pulumi nor AWS", async () => {
  expect(await packagesOf("events/index.ts")).toEqual(["zod"]);
});

test("only the entry points and adapters of the functions load the AWS SDK", async () => {
  expect(await packagesOf("acknowledge/acknowledge.ts")).toEqual(["zod"]);
  expect(await packagesOf("consume/consume.ts")).toEqual(["zod"]);
  expect(await packagesOf("local/local-receiver.ts")).toEqual(["zod"]);
  expect(await packagesOf("../cli/receiver/run.ts")).toEqual(["@commander-js/extra-typings", "commander", "zod"]);
  const clients = (await packagesOf("acknowledge/lambda.ts")).filter((name) => name.startsWith("@aws-sdk/client-"));
  expect(clients).toEqual(["@aws-sdk/client-dynamodb", "@aws-sdk/client-sqs"]);
});

test("the functions have the types of the invocations that AWS makes", () => {
  expectTypeOf<LambdaFunctionURLEvent>().toExtend<FunctionUrlRequest>();
  expectTypeOf<FunctionUrlResponse>().toExtend<LambdaFunctionURLResult>();
  expectTypeOf<APIGatewayProxyEvent>().toExtend<RestApiRequest>();
  expectTypeOf<FunctionUrlResponse>().toExtend<APIGatewayProxyResult>();
  expectTypeOf<SQSEvent>().toExtend<QueueBatch>();
  expectTypeOf<EventBridgeEvent<string, unknown>>().toExtend<BusInvocation>();
  expectTypeOf<BatchFailures>().toExtend<SQSBatchResponse>();
});
