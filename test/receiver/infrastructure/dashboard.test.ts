import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { metricNames, metricNamespace } from "../../../src/receiver/metrics.ts";
import { ofType, type RegisteredResource, registerReceiver } from "../mocked-program.ts";

const tokens = ["c5f1a09be27d438690bbfed5213ac874"];
const platform = { baseUrl: "https://platform.example.com", apiKey: "a-confidential-key" };

// What CloudWatch requires of a widget (Amazon CloudWatch, "Dashboard body structure and syntax").
const bodySchema = z.strictObject({
  start: z.string(),
  widgets: z.array(
    z.strictObject({
      type: z.enum(["alarm", "log", "metric", "text"]),
      width: z.int().min(1).max(24),
      height: z.int().min(1),
      properties: z.looseObject({
        region: z.string().optional(),
        metrics: z.array(z.array(z.unknown())).optional(),
        alarms: z.array(z.string()).optional(),
        query: z.string().optional(),
      }),
    }),
  ),
});

describe("the dashboard", () => {
  let resources: readonly RegisteredResource[];
  let url: string;
  let body: z.infer<typeof bodySchema>;

  beforeAll(async () => {
    const registered = await registerReceiver({ tokens, platform });
    resources = registered.resources;
    url = await new Promise((resolve) => registered.receiver.dashboardUrl.apply(resolve));
    body = bodySchema.parse(JSON.parse(String(ofType(resources, "Dashboard")[0]?.inputs.dashboardBody)));
  }, 60_000);

  test("shows every alarm and every metric of the receiver", () => {
    const arns = body.widgets.flatMap(({ properties }) => properties.alarms ?? []);
    expect(arns).toHaveLength(ofType(resources, "MetricAlarm").length);
    const shown = body.widgets.flatMap(({ properties }) => properties.metrics ?? []);
    const own = shown.filter(([namespace]) => namespace === metricNamespace).map(([, name]) => name);
    expect(own.sort()).toEqual([...metricNames].sort());
  });

  test("has the receiver's name, and an address in the console of its region", () => {
    expect(ofType(resources, "Dashboard")[0]?.inputs.dashboardName).toBe("events");
    expect(url).toBe(
      "https://eu-central-1.console.aws.amazon.com/cloudwatch/home?region=eu-central-1#dashboards/dashboard/events",
    );
  });

  test("reads the logs of all functions", () => {
    const query = body.widgets.find(({ type }) => type === "log")?.properties.query;
    for (const part of ["acknowledge", "consume", "reconcile"]) {
      expect(query).toContain(`SOURCE '/aws/lambda/events-${part}'`);
    }
  });
});

test("without reconciliation, neither the dashboard nor the queries mention the reconciler", async () => {
  const { resources } = await registerReceiver({ tokens });
  const [dashboard] = ofType(resources, "Dashboard");
  expect(dashboard?.inputs.dashboardBody).toContain("events-consume");
  expect(JSON.stringify([dashboard, ofType(resources, "QueryDefinition")])).not.toMatch(/events-reconcile|undefined/);
});

test("the saved queries are in a folder with the receiver's name, each on the logs that have its lines", async () => {
  const { resources } = await registerReceiver({ tokens, platform });
  const queries = ofType(resources, "QueryDefinition").map(({ inputs }) => [inputs.name, inputs.logGroupNames]);
  const [acknowledge, consume, reconcile] = ["acknowledge", "consume", "reconcile"].map(
    (part) => `/aws/lambda/events-${part}`,
  );
  expect(Object.fromEntries(queries)).toEqual({
    "events/Errors and their causes": [acknowledge, consume, reconcile],
    "events/One event, by its ingest id": [acknowledge, consume, reconcile],
    "events/The events of a tenant, by its id": [consume, reconcile],
    "events/Events that deviate from the specification": [consume],
    "events/Rejected requests, by form, reason and source": [acknowledge],
    "events/Webhooks per hour, by the token in their URL": [acknowledge],
  });
});
