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
}

/** The names in AWS that an operator needs in commands, queries and links. */
export interface Handles {
  /** The receiver's name in AWS: `<receiver>-<suffix>`. It is unique in the account. */
  readonly receiver: string;
  /** The name of the Pulumi stack. */
  readonly stack: string;
  readonly region: string;
  readonly queueUrl: string;
  readonly queueName: string;
  readonly queueArn: string;
  readonly deadLettersUrl: string;
  readonly deadLettersName: string;
  readonly deadLettersArn: string;
  /** How many times a message of the queue is received before it becomes a dead letter. */
  readonly maxReceiveCount: number;
  readonly ledger: string;
  readonly bus: string;
  readonly acknowledge: FunctionHandles;
  readonly consume: FunctionHandles;
  readonly reconcile: FunctionHandles | undefined;
  readonly restApi: { readonly apiName: string; readonly stageName: string } | undefined;
}

export interface FunctionHandles {
  readonly name: string;
  readonly log: string;
}

/** Resolves when all parts exist. */
export function handlesOf(parts: OperatedParts): pulumi.Output<Handles> {
  const { queue, deadLetters, maxReceiveCount, functions, restApi } = parts;
  const stack = pulumi.getStack();
  return pulumi
    .output({
      queueName: queue.name,
      queueUrl: queue.url,
      queueArn: queue.arn,
      deadLettersName: deadLetters.name,
      deadLettersUrl: deadLetters.url,
      deadLettersArn: deadLetters.arn,
      maxReceiveCount,
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
      receiver: handles.queueName.replace(/-queue(?!.*-queue)/, ""),
      region: handles.queueArn.split(":")[3] ?? "",
    }));
}

function functionHandles({ lambda, logGroup }: ReceiverFunction) {
  return { name: lambda.name, log: logGroup.name };
}
