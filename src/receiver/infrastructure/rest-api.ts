import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { CheckedRestApi } from "../checked-args.ts";
import type { Scope } from "./scope.ts";

/** The DNS record that the user creates for a custom domain: a CNAME, or an alias in Route 53. */
export interface DnsRecord {
  readonly name: string;
  /** What the name must refer to. */
  readonly target: string;
  /** The hosted zone of the target, for an alias in Route 53. */
  readonly targetZoneId: string;
}

const stageName = "webhooks";

/**
 * Creates a REST API that passes all requests on to a function, whatever their path: what the API refuses is then the throttled
 * requests and those that the firewall blocks, and no probes of strangers.
 *
 * API Gateway writes no logs of its own: its execution log contains the query, and so the token. Its access log would need a
 * role for all APIs of the account, and name nothing that the function's log does not.
 */
export function createRestApi(
  scope: Scope,
  lambda: aws.lambda.Function,
  { requestsPerSecond, burst, webAclArn, domain, isProtected }: CheckedRestApi & { readonly isProtected: boolean },
) {
  const options = { ...scope.options, protect: isProtected }; // another URL would have to be entered in the console
  const api = new aws.apigateway.RestApi(
    scope.named("api"),
    {
      description: "Webhook receiver: passes webhooks on to the acknowledging function",
      endpointConfiguration: { types: "REGIONAL" }, // its source address is that of the sender
      // With other types API Gateway decodes a body as text, which changes bytes that are not UTF-8.
      binaryMediaTypes: ["*/*"],
      disableExecuteApiEndpoint: domain !== undefined,
    },
    options,
  );
  const deployment = createDeployment(scope, api, lambda);
  const stage = new aws.apigateway.Stage(
    scope.named("api"),
    { restApi: api.id, deployment: deployment.id, stageName },
    options,
  );
  new aws.lambda.Permission(
    scope.named("api-invokes"),
    {
      function: lambda.name,
      action: "lambda:InvokeFunction",
      principal: "apigateway.amazonaws.com",
      sourceArn: pulumi.interpolate`${api.executionArn}/${stageName}/*/*`, // any method of any path
    },
    scope.options,
  );
  new aws.apigateway.MethodSettings(
    scope.named("api"),
    {
      restApi: api.id,
      stageName: stage.stageName,
      methodPath: "*/*",
      settings: {
        throttlingRateLimit: requestsPerSecond,
        throttlingBurstLimit: burst,
        loggingLevel: "OFF",
        dataTraceEnabled: false,
      },
    },
    scope.options,
  );
  if (webAclArn !== undefined) {
    new aws.wafv2.WebAclAssociation(scope.named("api"), { resourceArn: stage.arn, webAclArn }, scope.options);
  }
  const endpoint = domain
    ? createDomain(scope, stage, domain, options)
    : { url: pulumi.interpolate`${stage.invokeUrl}/`, dnsRecord: undefined };
  /** The API and the stage are the dimensions of the metrics. Requests are filtered if there is a web ACL. */
  return { apiName: api.name, stageName: stage.stageName, isFiltered: webAclArn !== undefined, ...endpoint };
}

/** Passes each method and path on, so that the function answers and logs the wrong ones too. */
function createDeployment(scope: Scope, api: aws.apigateway.RestApi, lambda: aws.lambda.Function) {
  const others = new aws.apigateway.Resource(
    scope.named("api"),
    { restApi: api.id, parentId: api.rootResourceId, pathPart: "{proxy+}" },
    scope.options,
  );
  const integrations = Object.entries({ api: api.rootResourceId, "api-others": others.id }).map(
    ([part, resourceId]) => {
      const path = { restApi: api.id, resourceId, httpMethod: "ANY" };
      const method = new aws.apigateway.Method(scope.named(part), { ...path, authorization: "NONE" }, scope.options);
      return new aws.apigateway.Integration(
        scope.named(part),
        {
          ...path,
          type: "AWS_PROXY",
          integrationHttpMethod: "POST", // what AWS Lambda requires, whatever the method of the request
          uri: lambda.invokeArn,
        },
        { ...scope.options, dependsOn: [method] },
      );
    },
  );
  // A deployment is a copy of the API. The triggers make a new copy of each change.
  const definition = pulumi.jsonStringify([
    ...integrations.map(({ resourceId, uri }) => [resourceId, uri]),
    api.binaryMediaTypes,
    api.disableExecuteApiEndpoint,
  ]);
  return new aws.apigateway.Deployment(
    scope.named("api"),
    { restApi: api.id, triggers: { definition } },
    { ...scope.options, dependsOn: integrations },
  );
}

function createDomain(
  scope: Scope,
  stage: aws.apigateway.Stage,
  { name, certificateArn }: NonNullable<CheckedRestApi["domain"]>,
  options: pulumi.CustomResourceOptions,
) {
  const domain = new aws.apigateway.DomainName(
    scope.named("api"),
    {
      domainName: name,
      regionalCertificateArn: certificateArn,
      endpointConfiguration: { types: "REGIONAL" },
      securityPolicy: "TLS_1_2",
    },
    options,
  );
  const mapping = new aws.apigateway.BasePathMapping(
    scope.named("api"),
    { domainName: domain.domainName, restApi: stage.restApi, stageName: stage.stageName },
    options,
  );
  const { domainName, regionalDomainName, regionalZoneId } = domain;
  return {
    url: pulumi.interpolate`https://${mapping.domainName}/`,
    dnsRecord: pulumi.output({ name: domainName, target: regionalDomainName, targetZoneId: regionalZoneId }),
  };
}
