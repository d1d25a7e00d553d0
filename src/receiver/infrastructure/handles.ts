import type * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { ReceiverFunction } from "./function.ts";
import type { MessageQueues } from "./queue.ts";

/** The receiver's functions. */
export interface ReceiverFunctions {
  readonly acknowledge: ReceiverFunction;
  readonly consume: ReceiverFunction;
  /** Absent if the receiver does not reconcile. */
  readonly reconcile?: ReceiverFunction | undefined;
}

/** The parts of a receiver that an operator looks at. */
export interface OperatedParts extends MessageQueues {
  readonly functions: ReceiverFunctions;
  readonly ledger: aws.dynamodb.Table;
  readonly bus: aws.cloudwatch.EventBus;
  /** The REST API in front of the acknowledging function. Absent if the platform calls the function's URL. */
  readonly restApi?: RestApiStage | undefined;
}

/** A REST API, by the dimensions of its metrics. */
export interface RestApiStage {
  readonly apiName: pulumi.Input<string>;
  readonly stageName: pulumi.Input<string>;
  readonly isFiltered: boolean;
}

/** The names in AWS that an operator needs in commands, queries and links. */
export type Handles = pulumi.Unwrap<ReturnType<typeof handlesOf>>;

export type FunctionHandles = Handles["consume"];

/** Resolves when all parts exist. */
export function handlesOf(parts: OperatedParts) {
  const { queue, deadLetters, functions, restApi } = parts;
  const stack = pulumi.getStack();
  return pulumi
    .output({
      queueName: queue.name,
      queueUrl: queue.url,
      queueArn: queue.arn,
      deadLettersName: deadLetters.name,
      deadLettersUrl: deadLetters.url,
      deadLettersArn: deadLetters.arn,
      ledger: parts.ledger.name,
      bus: parts.bus.name,
      acknowledge: functionHandles(functions.acknowledge),
      consume: functionHandles(functions.consume),
      reconcile: functions.reconcile && functionHandles(functions.reconcile),
      restApi,
    })
    .apply((handles) => ({
      ...handles,
      stack,
      /** `<receiver>-<suffix>`, unique in the account. */
      receiver: handles.queueName.replace(/-queue(?!.*-queue)/, ""),
      region: handles.queueArn.split(":")[3] ?? "",
    }));
}

function functionHandles({ lambda, logGroup }: ReceiverFunction) {
  return { name: lambda.name, log: logGroup.name };
}
