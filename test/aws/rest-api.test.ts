import { CloudWatchClient, DescribeAlarmsCommand, GetDashboardCommand } from "@aws-sdk/client-cloudwatch";
import { GetFunctionUrlConfigCommand, GetPolicyCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { decodeMessage } from "../../src/receiver/message.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { eventNames, payload } from "../receiver/fixtures.ts";
import { plainClient } from "./provider/plain-request.ts";
import { takeMessages } from "./queues.ts";
import { deployReceiver, formerToken, type ReceiverStack, token } from "./receiver-stack.ts";
import { startFunctionOf } from "./runtime/function-of-stack.ts";
import { runtimeSetUpSeconds } from "./runtime/prepare-runtime.ts";
import { restApiEvent } from "./runtime/rest-api-event.ts";
import type { RunningFunction } from "./runtime/start-function.ts";

// One story on one stack with the real engine, a receiver behind a REST API. moto serves no REST API: AWS's runtime invokes
// the function with the events that API Gateway would create.

let stack: ReceiverStack;
let aws: ReturnType<typeof plainClient>;

beforeAll(
  () =>
    endAfterTests(async (open) => {
      stack = open.use(
        await deployReceiver(undefined, undefined, {
          args: `
            restApi: new pulumi.Config().getObject("restApi") ?? { requestsPerSecond: 5, burst: 7 },
            deletionProtection: new pulumi.Config().getBoolean("isProtected") ?? false,`,
          outputs: "dnsRecord",
        }),
      );
      aws = plainClient(stack.moto.client);
    }),
  (pythonSetUpSeconds + runtimeSetUpSeconds) * 1000,
);

describe("a receiver behind a REST API", () => {
  test("outputs the URL of the API's stage, with the token", async () => {
    const { id } = await theApi();
    expect(stack.outputs.url).toBe(`https://${id}.execute-api.eu-central-1.amazonaws.com/webhooks/?token=${token}`);
  });

  test("has a regional API that passes each method and path on to the function, with all media types as binary", async () => {
    const { id, ...api } = await theApi();
    expect(api).toMatchObject({
      endpointConfiguration: { types: ["REGIONAL"] },
      binaryMediaTypes: ["*/*"],
      disableExecuteApiEndpoint: false,
    });
    const { item: resources } = z
      .object({ item: z.array(z.object({ id: z.string(), path: z.string() })) })
      .parse(await aws.apiGateway("GET", `/restapis/${id}/resources`));
    expect(resources.map(({ path }) => path).sort()).toEqual(["/", "/{proxy+}"]);
    for (const { id: resourceId } of resources) {
      expect(await aws.apiGateway("GET", `/restapis/${id}/resources/${resourceId}/methods/ANY`)).toMatchObject({
        authorizationType: "NONE",
        methodIntegration: {
          type: "AWS_PROXY",
          httpMethod: "POST",
          uri: expect.stringContaining(
            `/functions/${stack.outputsOf("Function", "events-acknowledge").arn}/invocations`,
          ),
        },
      });
    }
  });

  test("limits the rate, and logs nothing, as a log of API Gateway could contain the token", async () => {
    const { accessLogSettings, tracingEnabled, methodSettings, webAclArn } = await theStage();
    expect(methodSettings).toEqual({
      "*/*": expect.objectContaining({
        throttlingRateLimit: 5,
        throttlingBurstLimit: 7,
        loggingLevel: "OFF",
        dataTraceEnabled: false,
      }),
    });
    expect([accessLogSettings ?? undefined, tracingEnabled ?? false, webAclArn]).toEqual([undefined, false, undefined]);
  });

  test("raises an alarm when the API answers 5xx, and shows the API's errors on the dashboard", async () => {
    const cloudwatch = new CloudWatchClient(stack.moto.client);
    const { MetricAlarms: alarms = [] } = await cloudwatch.send(
      new DescribeAlarmsCommand({ AlarmNamePrefix: "events-not-stored" }),
    );
    const ApiName = (await theApi()).name;
    expect(alarms).toMatchObject([{ Namespace: "AWS/ApiGateway", MetricName: "5XXError" }]);
    expect(alarms[0]?.Dimensions).toEqual([
      { Name: "ApiName", Value: ApiName },
      { Name: "Stage", Value: "webhooks" },
    ]);
    const { DashboardBody: body = "" } = await cloudwatch.send(
      new GetDashboardCommand({
        DashboardName: String(stack.outputsOf("Dashboard", "events-dashboard").dashboardName),
      }),
    );
    for (const metric of ["4XXError", "5XXError"]) {
      expect(body).toContain(`["AWS/ApiGateway","${metric}","ApiName","${ApiName}","Stage","webhooks"`);
    }
  });

  test("is the only way to the function: it has no URL of its own, and only this stage may invoke it", async () => {
    const lambda = new LambdaClient(stack.moto.client);
    const FunctionName = String(stack.outputsOf("Function", "events-acknowledge").name);
    const url = lambda.send(new GetFunctionUrlConfigCommand({ FunctionName }));
    await expect(url).rejects.toMatchObject({ name: "ResourceNotFoundException" });
    const { Policy: policy = "" } = await lambda.send(new GetPolicyCommand({ FunctionName }));
    expect(JSON.parse(policy).Statement).toEqual([
      expect.objectContaining({
        Effect: "Allow",
        Action: "lambda:InvokeFunction",
        Principal: { Service: "apigateway.amazonaws.com" },
        Condition: {
          ArnLike: {
            "AWS:SourceArn": `arn:aws:execute-api:eu-central-1:123456789012:${(await theApi()).id}/webhooks/*/*`,
          },
        },
      }),
    ]);
  });
});

describe("the acknowledging function behind a REST API", () => {
  let acknowledge: RunningFunction;
  const query = `token=${token}`;

  beforeAll(
    () =>
      endAfterTests(async (open) => {
        acknowledge = open.use(await startFunctionOf(stack, "acknowledge"));
      }),
    runtimeSetUpSeconds * 1000,
  );

  test.each(eventNames)("enqueues the event %s unchanged", async (name) => {
    const body = JSON.stringify(payload(name));
    expect(await statusOf({ query, body })).toBe(200);
    expect(await queuedBodies()).toEqual([Buffer.from(body)]);
  });

  test.each([
    ["that is not UTF-8", Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x7b])],
    ["that is empty", Buffer.alloc(0)],
    ["of 900 KiB", Buffer.alloc(900 * 1024, "x")],
  ])("enqueues a body %s unchanged", async (_, body) => {
    expect(await statusOf({ query, body })).toBe(200);
    expect(await queuedBodies()).toEqual([body]);
  });

  test.each([
    ["200 to the older token", { query: `token=${formerToken}` }, 200],
    ["200 to a valid token after a wrong one", { query: `token=wrong&${query}` }, 200],
    ["403 to a wrong token", { query: `token=${"0".repeat(64)}` }, 403],
    ["403 without a query", {}, 403],
    ["405 to another method", { query, method: "GET" }, 405],
    ["413 to a body over 1 MiB", { query, body: "x".repeat(1024 * 1024 + 1) }, 413],
  ])("answers %s", async (_, request, status) => {
    expect(await statusOf({ body: "{}", ...request })).toBe(status);
    expect(await queuedBodies()).toHaveLength(status === 200 ? 1 : 0);
  });

  test("logs neither tokens nor bodies", async () => {
    await statusOf({ query, body: '{"event_type":"secret-of-the-body"}' });
    await queuedBodies();
    expect(acknowledge.logged()).toContain("webhook enqueued");
    for (const secret of [token, formerToken, "secret-of-the-body"]) expect(acknowledge.logged()).not.toContain(secret);
  });

  async function statusOf(request: Parameters<typeof restApiEvent>[0]): Promise<number> {
    return z.object({ statusCode: z.int() }).parse(await acknowledge.invoke(restApiEvent(request))).statusCode;
  }

  async function queuedBodies(): Promise<Buffer[]> {
    const messages = await takeMessages(stack.moto, stack.outputs.queueUrl);
    return messages.map(({ Body: body = "" }) => Buffer.from(decodeMessage(body).body));
  }
});

describe("a receiver behind a REST API is changed", () => {
  const domain = {
    name: "webhooks.example.com",
    certificateArn: "arn:aws:acm:eu-central-1:123456789012:certificate/1a2b3c4d",
  };

  test("to other limits without another resource", async () => {
    await configure({ requestsPerSecond: 50, burst: 100 });
    expect((await stack.project.preview()).changeSummary).toEqual({ update: 1, same: expect.any(Number) });
    await stack.project.mustRun(["up", "--yes", "--skip-preview"]);
    expect((await theStage()).methodSettings).toMatchObject({
      "*/*": { throttlingRateLimit: 50, throttlingBurstLimit: 100 },
    });
  });

  test("to a web ACL and a custom domain, and then answers at this domain only", async () => {
    const before = await theStage();
    const acl = z.object({ Summary: z.object({ ARN: z.string() }) }).parse(
      await aws.waf("CreateWebACL", {
        Name: "webhooks",
        Scope: "REGIONAL",
        DefaultAction: { Allow: {} },
        VisibilityConfig: { SampledRequestsEnabled: false, CloudWatchMetricsEnabled: false, MetricName: "webhooks" },
        Rules: [],
      }),
    ).Summary.ARN;
    await configure({ webAclArn: acl, domain });
    await stack.project.mustRun(["up", "--yes", "--skip-preview"]);

    const { id, disableExecuteApiEndpoint } = await theApi();
    const { webAclArn, deploymentId } = await theStage();
    expect({ disableExecuteApiEndpoint, webAclArn }).toEqual({ disableExecuteApiEndpoint: true, webAclArn: acl });
    expect(deploymentId).not.toBe(before.deploymentId); // the endpoint is disabled by a new deployment
    expect(await aws.apiGateway("GET", "/domainnames/webhooks.example.com/basepathmappings/(none)")).toMatchObject({
      restApiId: id,
      stage: "webhooks",
    });
    const created = z
      .object({ regionalDomainName: z.string(), regionalHostedZoneId: z.string() })
      .loose()
      .parse(await aws.apiGateway("GET", "/domainnames/webhooks.example.com"));
    expect(created).toMatchObject({ regionalCertificateArn: domain.certificateArn, securityPolicy: "TLS_1_2" });
    const { stdout } = await stack.project.mustRun(["stack", "output", "--json", "--show-secrets"]);
    expect(JSON.parse(stdout)).toMatchObject({
      url: `https://webhooks.example.com/?token=${token}`,
      dnsRecord: {
        name: "webhooks.example.com",
        target: created.regionalDomainName,
        targetZoneId: created.regionalHostedZoneId,
      },
    });
    await stack.project.mustRun(["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"]);
  });

  test("to be protected, together with all that its URL depends on", async () => {
    await configure({ domain }, "  throw-away:isProtected: true");
    await stack.project.mustRun(["up", "--yes", "--skip-preview"]);
    const { deployment } = stateSchema.parse(JSON.parse((await stack.project.exportState()).text));
    const isProtected = deployment.resources.filter(({ protect }) => protect).map(({ type }) => type.split(":").at(-1));
    expect(isProtected).toEqual(
      expect.arrayContaining(["Function", "RestApi", "Stage", "DomainName", "BasePathMapping"]),
    );
  });

  test("never into a state that shows the token", async () => {
    expect((await stack.project.exportState()).text).not.toContain(token);
  });

  test("to nothing: it is destroyed completely", async () => {
    await configure({ domain });
    await stack.project.mustRun(["up", "--yes", "--skip-preview"]);
    await stack.project.mustRun(["destroy", "--yes", "--skip-preview"]);
    expect(await apis()).toEqual([]);
    expect(await aws.apiGateway("GET", "/domainnames")).toEqual({ item: [] });
  });

  async function configure(restApi: object, more = ""): Promise<void> {
    await stack.project.writeStackYaml(`config:
  throw-away:restApi: ${JSON.stringify(restApi)}
${more}
`);
  }
});

const stateSchema = z.object({
  deployment: z.object({ resources: z.array(z.object({ type: z.string(), protect: z.boolean().optional() })) }),
});
const apiSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  rootResourceId: z.string(),
  disableExecuteApiEndpoint: z.boolean(),
});
const stageSchema = z.looseObject({ deploymentId: z.string(), methodSettings: z.record(z.string(), z.unknown()) });

async function apis() {
  return z.object({ item: z.array(apiSchema) }).parse(await aws.apiGateway("GET", "/restapis")).item;
}

async function theApi() {
  const [api, ...others] = await apis();
  if (api === undefined || others.length > 0) throw new Error(`there are ${others.length} APIs besides one`);
  return api;
}

async function theStage() {
  return stageSchema.parse(await aws.apiGateway("GET", `/restapis/${(await theApi()).id}/stages/webhooks`));
}
