import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type * as z from "zod";
import type { LambdaName } from "./bundle-lambda.ts";
import { lambdaCode } from "./lambda-code.ts";
import type { Scope } from "./scope.ts";

/** Allows actions on one resource. */
export interface Statement {
  readonly actions: readonly string[];
  /** The ARN of the resource. */
  readonly resource: pulumi.Input<string>;
}

/** How one of the receiver's functions differs from the others. */
export interface FunctionSettings {
  readonly name: LambdaName;
  readonly description: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Record<string, pulumi.Input<string>>>;
  /** What the function may do besides writing its own log. */
  readonly statements: readonly Statement[];
  readonly logRetentionDays: number;
  /** Concurrent invocations that AWS reserves for the function, which are also its limit. Default: none. */
  readonly reservedConcurrency?: number | undefined;
  /** Whether Pulumi refuses to delete the function. Default false. */
  readonly isProtected?: boolean | undefined;
}

/** The environment variables that a function reads, by the `environmentSchema` of its `lambda.ts`. */
export type EnvironmentOf<Schema extends z.ZodObject> = {
  readonly [Name in keyof z.input<Schema>]: pulumi.Input<string>;
};

/** A function of the receiver with its role. */
export interface ReceiverFunction {
  readonly lambda: aws.lambda.Function;
  readonly logGroup: aws.cloudwatch.LogGroup;
  /** The policy of its role. Whatever invokes the function depends on it. */
  readonly policy: aws.iam.RolePolicy;
}

/** Creates a function with the handler of `src/receiver/<name>/lambda.ts`, its log group and its role. */
export function createFunction(scope: Scope, settings: FunctionSettings): ReceiverFunction {
  const { name } = settings;
  const logGroup = new aws.cloudwatch.LogGroup(
    scope.named(name),
    { namePrefix: logGroupPrefix(scope.named(name)), retentionInDays: settings.logRetentionDays },
    scope.options,
  );
  const { role, policy } = createRole(scope, name, [
    { actions: ["logs:CreateLogStream", "logs:PutLogEvents"], resource: logGroup.arn.apply(streamsOf) },
    ...settings.statements,
  ]);
  const lambda = new aws.lambda.Function(
    scope.named(name),
    {
      name: logGroup.name.apply((group) => group.slice(logGroupsOfFunctions.length)),
      description: settings.description,
      runtime: "nodejs24.x",
      architectures: ["arm64"],
      handler: "index.handler",
      code: lambdaCode(name),
      role: role.arn,
      timeout: settings.timeoutSeconds,
      memorySize: settings.memoryMegabytes,
      environment: { variables: settings.environment },
      loggingConfig: { logFormat: "Text", logGroup: logGroup.name },
      ...(settings.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: settings.reservedConcurrency,
      }),
    },
    {
      ...scope.options,
      dependsOn: [policy],
      protect: settings.isProtected ?? false,
      // If somebody deletes the log group, the next one has another name. The function and its URL stay the same.
      ignoreChanges: ["name"],
    },
  );
  return { lambda, logGroup, policy };
}

/** Where AWS's tools look for the log of a function: in the group with its name. */
const logGroupsOfFunctions = "/aws/lambda/";

const maxFunctionName = 64;
const uniqueSuffix = 26; // what the provider adds to a prefix

/**
 * The prefix of a function's log group. The log group is created first and gives the function its name, so that the role
 * can name exactly this group. Cuts the receiver's name if the function's name would be too long.
 */
function logGroupPrefix(logicalName: string): string {
  const part = logicalName.slice(logicalName.lastIndexOf("-"));
  const receiver = logicalName.slice(0, -part.length);
  const length = maxFunctionName - uniqueSuffix - part.length - 1;
  return `${logGroupsOfFunctions}${receiver.slice(0, length)}${part}-`;
}

/** The ARN of all streams of a log group. Some versions of the provider end the group's ARN with `:*` already. */
function streamsOf(logGroupArn: string): string {
  return `${logGroupArn.replace(/:\*$/, "")}:*`;
}

/** Creates the role of a function. It allows these statements and nothing else. */
function createRole(
  scope: Scope,
  part: string,
  statements: readonly Statement[],
): { readonly role: aws.iam.Role; readonly policy: aws.iam.RolePolicy } {
  const role = new aws.iam.Role(scope.named(part), { assumeRolePolicy }, scope.options);
  const policy = new aws.iam.RolePolicy(
    scope.named(part),
    { role: role.id, policy: pulumi.jsonStringify({ Version: policyVersion, Statement: statements.map(allow) }) },
    scope.options,
  );
  return { role, policy };
}

const policyVersion = "2012-10-17"; // the version of the policy language

const assumeRolePolicy = JSON.stringify({
  Version: policyVersion,
  Statement: [{ Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" }],
});

function allow({ actions, resource }: Statement) {
  return { Effect: "Allow", Action: [...actions], Resource: resource };
}

/** Invokes a function at an interval. */
export function createSchedule(scope: Scope, part: string, lambda: aws.lambda.Function, everyMinutes: number): void {
  const rule = new aws.cloudwatch.EventRule(
    scope.named(part),
    { scheduleExpression: everyMinutes === 1 ? "rate(1 minute)" : `rate(${everyMinutes} minutes)` },
    scope.options,
  );
  new aws.lambda.Permission(
    scope.named(part),
    {
      function: lambda.name,
      action: "lambda:InvokeFunction",
      principal: "events.amazonaws.com",
      sourceArn: rule.arn,
    },
    scope.options,
  );
  new aws.cloudwatch.EventTarget(scope.named(part), { rule: rule.name, arn: lambda.arn }, scope.options);
}
