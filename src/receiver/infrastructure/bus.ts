import * as aws from "@pulumi/aws";
import type { Statement } from "./role.ts";
import type { Scope } from "./scope.ts";

/** The bus on which the events are put, and on which users hang their own rules. */
export function eventBus(scope: Scope): aws.cloudwatch.EventBus {
  return new aws.cloudwatch.EventBus(
    scope.named("bus"),
    { description: "Events of the integration platform" },
    scope.options,
  );
}

/** What the consumer and the reconciler do with the bus. */
export function busUse(bus: aws.cloudwatch.EventBus): Statement {
  return { actions: ["events:PutEvents"], resource: bus.arn };
}
