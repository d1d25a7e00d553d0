import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import { type LambdaName, lambdaCode } from "./lambda-code.ts";
import { functionRole, type Statement } from "./role.ts";
import type { Scope } from "./scope.ts";

/** What makes one of the receiver's functions differ from the others. */
export interface FunctionSettings {
  readonly name: LambdaName;
  readonly description: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Record<string, pulumi.Input<string>>>;
  /** What it may do, besides writing its own log. */
  readonly statements: readonly Statement[];
  readonly logRetentionDays: number;
  /** Invocations at once that are kept for it, and the most it gets. Default: what the account has. */
  readonly reservedConcurrency?: number | undefined;
}

/** A function with its log group and its role. */
export interface ReceiverFunction {
  readonly lambda: aws.lambda.Function;
  /** Its rights, for what must wait until they are there. */
  readonly policy: aws.iam.RolePolicy;
}

/** A function of the receiver: Node.js 22 on arm64, the handler of `src/receiver/<name>/lambda.ts`. */
export function receiverFunction(scope: Scope, settings: FunctionSettings): ReceiverFunction {
  const { name } = settings;
  const log = new aws.cloudwatch.LogGroup(
    scope.named(name),
    { retentionInDays: settings.logRetentionDays },
    scope.options,
  );
  const { role, policy } = functionRole(scope, name, [
    // with its stars: the streams of this group
    { actions: ["logs:CreateLogStream", "logs:PutLogEvents"], resource: log.arn.apply(streamsOf) },
    ...settings.statements,
  ]);
  const lambda = new aws.lambda.Function(
    scope.named(name),
    {
      description: settings.description,
      runtime: "nodejs22.x",
      architectures: ["arm64"],
      handler: "index.handler",
      code: lambdaCode(name),
      role: role.arn,
      timeout: settings.timeoutSeconds,
      memorySize: settings.memoryMegabytes,
      environment: { variables: settings.environment },
      loggingConfig: { logFormat: "Text", logGroup: log.name },
      ...(settings.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: settings.reservedConcurrency,
      }),
    },
    { ...scope.options, dependsOn: [policy] },
  );
  return { lambda, policy };
}

function streamsOf(logGroupArn: string): string {
  return `${logGroupArn.replace(/:\*$/, "")}:*`;
}
