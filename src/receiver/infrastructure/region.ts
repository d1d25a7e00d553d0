import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";

/**
 * Refuses the ARN of another region: alarms and rules reach only their own (Amazon CloudWatch, PutMetricAlarm; Amazon EventBridge,
 * "Sending events to an AWS service in another account"). AWS would refuse it at the end of the deployment, or lose the events.
 *
 * @param what the messages call it.
 */
export function inRegion(what: string, arn: pulumi.Input<string>, parent: pulumi.Resource): pulumi.Output<string> {
  return pulumi.all([arn, aws.getRegionOutput({}, { parent }).region]).apply(([given, region]) => {
    const actual = given.split(":")[3];
    if (region === undefined || actual === region) return given;
    throw new pulumi.RunError(
      `${what} of "${pulumi.resourceName(parent)}" is in the region ${actual}, and the receiver in ${region}; use one in ${region}`,
    );
  });
}
