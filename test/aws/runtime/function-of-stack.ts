import { join } from "node:path";
import { GetFunctionCommand, LambdaClient } from "@aws-sdk/client-lambda";
import type { LambdaName } from "../../../src/receiver/infrastructure/bundle-lambda.ts";
import type { ReceiverStack } from "../receiver-stack.ts";
import { type RunningFunction, startFunction } from "./start-function.ts";

/** Runs a function of a stack with its environment in moto. `overrides` replace variables. */
export async function startFunctionOf(
  stack: ReceiverStack,
  name: LambdaName,
  overrides: Readonly<Record<string, string>> = {},
): Promise<RunningFunction> {
  const FunctionName = String(stack.outputsOf("Function", `events-${name}`).name);
  const { Configuration: settings } = await new LambdaClient(stack.moto.client).send(
    new GetFunctionCommand({ FunctionName }),
  );
  return startFunction(bundleOf(stack, name), {
    env: {
      ...stack.moto.env,
      AWS_LAMBDA_FUNCTION_NAME: FunctionName, // the dimension of its metrics
      ...settings?.Environment?.Variables,
      ...overrides,
    },
    timeoutSeconds: settings?.Timeout ?? 0,
  });
}

/** The bundle that the stack was deployed with. */
export function bundleOf(stack: ReceiverStack, name: LambdaName): string {
  return join(stack.project.directory, "dist/lambda", `${name}.mjs`);
}
