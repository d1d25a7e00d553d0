import type * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";

/** The parts of a receiver that its subscriptions use. */
export interface SubscriptionSource {
  readonly receiver: pulumi.Resource;
  readonly bus: aws.cloudwatch.EventBus;
  readonly ledger: aws.dynamodb.Table;
  /** Absent if the receiver has no archive. */
  readonly archive: aws.cloudwatch.EventArchive | undefined;
  /** The SNS topic that the alarms notify. Default: they notify nobody. */
  readonly alarmTopicArn: pulumi.Input<string> | undefined;
}
