import { join } from "node:path";
import { GetFunctionCommand, LambdaClient } from "@aws-sdk/client-lambda";
import type { LambdaName } from "../../../src/receiver/infrastructure/lambda-code.ts";
import type { ReceiverStack } from "../receiver-stack.ts";
import { type RunningFunction, startFunction } from "./start-function.ts";

/** Runs one of a stack's functions, with the environment that it has in moto, or `other` in its place. */
export async function startFunctionOf(
  stack: ReceiverStack,
  name: LambdaName,
  other: Readonly<Record<string, string>> = {},
): Promise<RunningFunction> {
  const FunctionName = String(stack.stateOf("Function", `events-${name}`).name);
  const { Configuration: settings } = await new LambdaClient(stack.moto.client).send(
    new GetFunctionCommand({ FunctionName }),
  );
  return startFunction(bundleOf(stack, name), {
    env: { ...stack.moto.env, ...settings?.Environment?.Variables, ...other },
    timeoutSeconds: settings?.Timeout ?? 0,
  });
}

/** The file that the stack was brought up with. */
export function bundleOf(stack: ReceiverStack, name: LambdaName): string {
  return join(stack.project.directory, "dist/lambda", `${name}.mjs`);
}
