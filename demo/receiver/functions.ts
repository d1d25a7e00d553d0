import { join } from "node:path";
import { GetFunctionCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { z } from "zod";
import { type LambdaName, lambdaNames } from "../../src/receiver/infrastructure/bundle-lambda.ts";
import { type RunningFunction, startFunction } from "../../test/aws/runtime/start-function.ts";
import type { ReceiverSandbox } from "./sandbox.ts";

/** The receiver's functions, run by AWS's runtime with the settings that the stack has given them in moto. */
export interface Functions extends AsyncDisposable {
  /** Resolves to the result, or to an error of the runtime: see `hasFailed`. */
  invoke(part: LambdaName, event: unknown): Promise<unknown>;
  /** Starts a function with other environment variables than the stack gave it. Without any, as the stack says. */
  restart(part: LambdaName, overrides?: Readonly<Record<string, string>>): Promise<void>;
  /** What a function has logged since the last call. */
  newLog(part: LambdaName): string;
}

/** @param names the names of the functions in moto, by their parts of the receiver. */
export async function startFunctions(
  box: ReceiverSandbox,
  names: Readonly<Record<LambdaName, string>>,
): Promise<Functions> {
  const running = new Map<LambdaName, RunningFunction>();
  const lengths = new Map<LambdaName, number>();
  const runningOf = (part: LambdaName) => {
    const found = running.get(part);
    if (found === undefined) throw new Error(`the function "${part}" is not running`);
    return found;
  };
  const restart: Functions["restart"] = async (part, overrides = {}) => {
    await running.get(part)?.[Symbol.asyncDispose]();
    running.set(part, await start(box, { part, name: names[part], overrides }));
    lengths.set(part, 0);
  };
  const dispose = async () => {
    await Promise.all([...running.values()].map((each) => each[Symbol.asyncDispose]()));
  };

  try {
    for (const part of lambdaNames) await restart(part);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    invoke: (part, event) => runningOf(part).invoke(event),
    restart,
    newLog: (part) => {
      const logged = runningOf(part).logged();
      const added = logged.slice(lengths.get(part));
      lengths.set(part, logged.length);
      return added;
    },
    [Symbol.asyncDispose]: dispose,
  };
}

const errorSchema = z.object({ errorType: z.string() });

/** Whether the result of an invocation is an error, which Lambda counts. */
export function hasFailed(result: unknown): boolean {
  return errorSchema.safeParse(result).success;
}

interface FunctionToStart {
  readonly part: LambdaName;
  readonly name: string;
  readonly overrides: Readonly<Record<string, string>>;
}

async function start({ moto, project }: ReceiverSandbox, { part, name, overrides }: FunctionToStart) {
  const lambda = new LambdaClient(moto.client);
  const { Configuration: settings } = await lambda.send(new GetFunctionCommand({ FunctionName: name }));
  const own = { AWS_LAMBDA_FUNCTION_NAME: name, ...settings?.Environment?.Variables };
  return startFunction(join(project.directory, "dist/lambda", `${part}.mjs`), {
    env: { ...moto.env, ...own, ...overrides },
    timeoutSeconds: settings?.Timeout ?? 0,
  });
}
