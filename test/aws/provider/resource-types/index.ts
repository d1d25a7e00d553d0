import type { ResourceType } from "../resource-type.ts";
import {
  basePathMapping,
  deployment,
  domainName,
  integration,
  method,
  methodSettings,
  resource,
  restApi,
  stage,
} from "./api-gateway.ts";
import { dashboard, metricAlarm } from "./cloudwatch.ts";
import { table } from "./dynamodb.ts";
import { eventArchive, eventBus, eventRule, eventTarget } from "./events.ts";
import { role, rolePolicy } from "./iam.ts";
import { eventSourceMapping, functionEventInvokeConfig, lambdaFunction, permission, url } from "./lambda.ts";
import { logGroup, queryDefinition } from "./logs.ts";
import { secret, secretVersion } from "./secrets.ts";
import { topic, topicPolicy } from "./sns.ts";
import { queue, queuePolicy } from "./sqs.ts";
import { webAclAssociation } from "./waf.ts";

/** The resource types of the receiver and its example. */
export const resourceTypes: Readonly<Record<string, ResourceType>> = {
  "aws:apigateway/basePathMapping:BasePathMapping": basePathMapping,
  "aws:apigateway/deployment:Deployment": deployment,
  "aws:apigateway/domainName:DomainName": domainName,
  "aws:apigateway/integration:Integration": integration,
  "aws:apigateway/method:Method": method,
  "aws:apigateway/methodSettings:MethodSettings": methodSettings,
  "aws:apigateway/resource:Resource": resource,
  "aws:apigateway/restApi:RestApi": restApi,
  "aws:apigateway/stage:Stage": stage,
  "aws:cloudwatch/dashboard:Dashboard": dashboard,
  "aws:cloudwatch/eventArchive:EventArchive": eventArchive,
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
  "aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig": functionEventInvokeConfig,
  "aws:lambda/functionUrl:FunctionUrl": url,
  "aws:lambda/permission:Permission": permission,
  "aws:secretsmanager/secret:Secret": secret,
  "aws:secretsmanager/secretVersion:SecretVersion": secretVersion,
  "aws:sns/topic:Topic": topic,
  "aws:sns/topicPolicy:TopicPolicy": topicPolicy,
  "aws:sqs/queue:Queue": queue,
  "aws:sqs/queuePolicy:QueuePolicy": queuePolicy,
  "aws:wafv2/webAclAssociation:WebAclAssociation": webAclAssociation,
};
