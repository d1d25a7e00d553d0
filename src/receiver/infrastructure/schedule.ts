import * as aws from "@pulumi/aws";
import type { Scope } from "./scope.ts";

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
