import * as aws from "@pulumi/aws";
import type { Scope } from "./scope.ts";

/** Creates the archive of the bus. It can replay the events of a period, for all rules or for one. */
export function createArchive(scope: Scope, bus: aws.cloudwatch.EventBus, days: number): aws.cloudwatch.EventArchive {
  return new aws.cloudwatch.EventArchive(
    scope.named("archive"),
    {
      description: "Events of the integration platform",
      eventSourceArn: bus.arn,
      retentionDays: days,
    },
    scope.options,
  );
}
