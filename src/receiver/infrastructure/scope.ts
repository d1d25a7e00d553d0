import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";

/** The name prefix and the parent that all resources of a receiver share. */
export interface Scope {
  /** The logical name of a part's resource: `<receiver>-<part>`. Pulumi derives its name in AWS from it. */
  named(part: string): string;
  /** The options of a part's resource. */
  readonly options: { readonly parent: pulumi.Resource };
}

export function createScope(receiver: string, parent: pulumi.Resource): Scope {
  return { named: (part) => `${receiver}-${part}`, options: { parent } };
}

/**
 * Checks in the preview that alarms or a rule can reach what an ARN names. They reach only their own region, and a rule that has
 * no role of its own only its own account (Amazon EventBridge, "Sending and receiving events between accounts"). An alarm may
 * notify a topic of another account if the topic's policy allows it.
 *
 * @param what the messages call it.
 */
export function reachable(
  what: "alarmTopicArn" | "the target",
  arn: pulumi.Input<string>,
  parent: pulumi.Resource,
): pulumi.Output<string> {
  const { region } = aws.getRegionOutput({}, { parent });
  const { accountId } = aws.getCallerIdentityOutput({}, { parent });
  return pulumi.all([arn, region, accountId]).apply(([given, ownRegion, ownAccount]) => {
    const [, , , actualRegion, actualAccount] = given.split(":");
    const name = `${what} of "${pulumi.resourceName(parent)}"`;
    if (ownRegion !== undefined && actualRegion !== ownRegion) {
      throw new pulumi.RunError(
        `${name} is in the region ${actualRegion}, and the receiver in ${ownRegion}; use one in ${ownRegion}`,
      );
    }
    if (ownAccount === undefined || actualAccount === ownAccount) return given;
    const problem = `${name} is in the account ${actualAccount}, and the receiver in ${ownAccount}`;
    if (what === "the target") {
      throw new pulumi.RunError(`${problem}; use a topic or a queue in ${ownAccount}, which passes the events on`);
    }
    pulumi.log.warn(
      `${problem}: its policy must allow cloudwatch.amazonaws.com to publish alarms of ${ownAccount}`,
      parent,
    );
    return given;
  });
}
