import type { ResourceType } from "../resource-type.ts";
import { dashboard, metricAlarm } from "./cloudwatch.ts";
import { table } from "./dynamodb.ts";
import { eventBus, eventRule, eventTarget } from "./events.ts";
import { role, rolePolicy } from "./iam.ts";
import { eventSourceMapping, lambdaFunction, permission, url } from "./lambda.ts";
import { logGroup, queryDefinition } from "./logs.ts";
import { secret, secretVersion } from "./secrets.ts";
import { queue } from "./sqs.ts";

/** The resource types of the receiver and its example. */
export const resourceTypes: Readonly<Record<string, ResourceType>> = {
  "aws:cloudwatch/dashboard:Dashboard": dashboard,
  "aws:cloudwatch/eventBus:EventBus": eventBus,
  "aws:cloudwatch/eventRule:EventRule": eventRule,
  "aws:cloudwatch/eventTarget:EventTarget": eventTarget,
  "aws:cloudwatch/logGroup:LogGroup": logGroup,
  "aws:cloudwatch/metricAlarm:MetricAlarm": metricAlarm,
  "aws:cloudwatch/queryDefinition:QueryDefinition": queryDefinition,
  "aws:dynamodb/table:Table": table,
  "aws:iam/role:Role": role,
  "aws:iam/rolePolicy:RolePolicy": rolePolicy,
  "aws:lambda/eventSourceMapping:EventSourceMapping": eventSourceMapping,
  "aws:lambda/function:Function": lambdaFunction,
  "aws:lambda/functionUrl:FunctionUrl": url,
  "aws:lambda/permission:Permission": permission,
  "aws:secretsmanager/secret:Secret": secret,
  "aws:secretsmanager/secretVersion:SecretVersion": secretVersion,
  "aws:sqs/queue:Queue": queue,
};
