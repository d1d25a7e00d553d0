import { readFileSync } from "node:fs";
import type { Client } from "../../src/api/index.ts";
import type { JsonValue } from "../../src/json/json-value.ts";

/** An operation of the client, and the names of the answers that it is documented to get. */
export interface Operation {
  readonly call: (client: Client) => Promise<unknown>;
  readonly answers: readonly string[];
  readonly isList?: boolean;
}

const request = { mode: "normal" } as const;

/** Every operation, by its name in the client. */
export const operations: Readonly<Record<string, Operation>> = {
  "integrations.listPage": { call: (c) => c.integrations.listPage(), answers: ["integration"], isList: true },
  "integrations.list": { call: (c) => all(c.integrations.list()), answers: ["integration"], isList: true },
  "integrations.named": { call: (c) => c.integrations.named("crm"), answers: ["integration"], isList: true },
  "integrations.get": { call: (c) => c.integrations.get(101), answers: ["integration"] },
  "integrations.sync": { call: (c) => c.integrations.sync(1, { ...request, userName: "u" }), answers: ["trigger"] },
  "releases.list": { call: (c) => c.releases.list(1), answers: ["integration-release"], isList: true },
  "releases.tagged": { call: (c) => c.releases.tagged(1, "v1"), answers: ["integration-release"], isList: true },
  "releases.get": { call: (c) => c.releases.get(1, 2), answers: ["integration-release"] },
  "releases.getDefault": { call: (c) => c.releases.getDefault(1), answers: ["integration-release"] },
  "releases.getLatest": { call: (c) => c.releases.getLatest(1), answers: ["integration-release"] },
  "tenants.listPage": { call: (c) => c.tenants.listPage(), answers: ["tenant"], isList: true },
  "tenants.list": { call: (c) => all(c.tenants.list()), answers: ["tenant"], isList: true },
  "tenants.named": { call: (c) => c.tenants.named("acme"), answers: ["tenant"], isList: true },
  "tenants.create": { call: (c) => c.tenants.create({ name: "acme", integration_id: 1 }), answers: ["tenant"] },
  "tenants.update": { call: (c) => c.tenants.update(7, { paused: true }), answers: ["tenant"] },
  "tenants.archive": { call: (c) => c.tenants.archive(7), answers: ["tenant"] },
  "tenants.getRelease": { call: (c) => c.tenants.getRelease(7), answers: ["integration-release"] },
  "tenants.sync": { call: (c) => c.tenants.sync(7, request), answers: ["trigger"] },
  "metadata.get": { call: (c) => c.metadata.get(7), answers: ["tenant-metadata"] },
  "metadata.update": { call: (c) => c.metadata.update(7, { plan: "gold" }), answers: ["tenant-metadata"] },
  "builds.create": { call: (c) => c.builds.create({ tag: "v1", integration_id: 1 }), answers: ["create-build"] },
  "runs.getTriggerStatus": { call: (c) => c.runs.getTriggerStatus("t"), answers: ["trigger-status"] },
  "runs.listPage": { call: (c) => c.runs.listPage(7), answers: ["run"], isList: true },
  "runs.newest": { call: (c) => c.runs.newest(7, 3), answers: ["run"], isList: true },
  "runs.getLog": { call: (c) => c.runs.getLog(7), answers: ["error-message"] },
  "runs.streamLog": { call: async (c) => all(await c.runs.streamLog(7)), answers: ["error-message"] },
  "connectors.disconnect": { call: (c) => c.connectors.disconnect(7, "crm"), answers: ["tenant"] },
  "connectors.call": { call: (c) => c.connectors.call(7, "crm", {}), answers: ["proxy-response"] },
  "connectors.callSoap": { call: (c) => c.connectors.callSoap(7, "crm", {}), answers: ["proxy-response"] },
  "connectors.callXml": { call: (c) => c.connectors.callXml(7, "crm", {}), answers: ["proxy-response"] },
};

/** The names of all that a client can do, as it itself has them. */
export function namesOf(client: Client): string[] {
  return Object.entries(client).flatMap(([noun, methods]) =>
    typeof methods === "object" ? Object.keys(methods).map((method) => `${noun}.${method}`) : [],
  );
}

/** What the specification documents under a name, and for a run what a close relative does: every variant of the fixture. */
export function documented(name: string): JsonValue[] {
  const folder = name === "run" ? "relative" : "spec";
  const file = new URL(`../fixtures/${folder}/${name}.json`, import.meta.url);
  return Object.values(JSON.parse(readFileSync(file, "utf8")));
}

/** The errors that the specification documents. */
export const documentedErrors = [
  "error-message",
  "http-validation-error",
  "proxy-internal-error",
  "proxy-external-error",
].flatMap(documented);

async function all(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const item of items) found.push(item);
  return found;
}
