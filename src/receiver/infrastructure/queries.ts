import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { Handles } from "./handles.ts";
import type { Scope } from "./scope.ts";

/** A query of CloudWatch Logs Insights on the logs of the receiver's functions. */
interface SavedQuery {
  /** Its title in the console, below the receiver's name. */
  readonly title: string;
  readonly logs: readonly ("acknowledge" | "consume" | "reconcile")[];
  readonly query: readonly string[];
}

const every = ["acknowledge", "consume", "reconcile"] as const;

/** The saved queries, by the last part of their resource's name. */
export const savedQueries = {
  "errors-query": {
    title: "Errors and their causes",
    logs: every,
    query: [
      "fields @timestamp, message, ingestId, error.name, error.message, error.cause.name, error.cause.message, @message",
      // AWS writes these lines itself, as text, if a function runs out of time or memory.
      'filter level = "error" or @message like /Task timed out|Runtime exited|Status: error/',
      "sort @timestamp desc",
      "limit 200",
    ],
  },
  "event-query": {
    title: "One event, by its ingest id",
    logs: every,
    query: ["fields @timestamp, level, message, @message", 'filter ingestId = "<ingest id>"', "sort @timestamp asc"],
  },
  "tenant-query": {
    title: "The events of a tenant, by its id",
    logs: ["consume", "reconcile"],
    query: [
      "fields @timestamp, message, eventType, runId, status, ingestId",
      "filter tenantId = 0",
      "sort @timestamp desc",
      "limit 200",
    ],
  },
  "problems-query": {
    title: "Events that deviate from the specification",
    logs: ["consume"],
    query: [
      "filter ispresent(problems.0)",
      "stats count(*) as events, latest(ingestId) as example, latest(@timestamp) as lastTime by kind, eventType, problems.0",
      "sort events desc",
    ],
  },
  "rejected-query": {
    title: "Rejected requests, by form, reason and source",
    logs: ["acknowledge"],
    query: [
      'filter message = "webhook rejected"',
      "stats count(*) as requests, latest(@timestamp) as lastTime by form, reason, statusCode, sourceIp",
      "sort requests desc",
    ],
  },
  "tokens-query": {
    title: "Webhooks per hour, by the token in their URL",
    logs: ["acknowledge"],
    query: ['filter message = "webhook enqueued"', "stats count(*) as webhooks by token, bin(1h)"],
  },
} as const satisfies Record<string, SavedQuery>;

/** Saves the queries in CloudWatch Logs Insights, in a folder with the receiver's name. */
export function createQueries(scope: Scope, handles: pulumi.Output<Handles>): void {
  for (const [name, { title, logs, query }] of Object.entries(savedQueries)) {
    new aws.cloudwatch.QueryDefinition(
      scope.named(name),
      {
        name: handles.apply(({ receiver }) => `${receiver}/${title}`),
        queryString: queryString(query),
        logGroupNames: handles.apply((names) => logs.flatMap((part) => names[part]?.log ?? [])),
      },
      scope.options,
    );
  }
}

/** The text of a query: its commands, each on a line. */
export function queryString(commands: readonly string[]): string {
  return commands.join("\n| ");
}
