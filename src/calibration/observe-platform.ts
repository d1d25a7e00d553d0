import { AuthenticationError, createClient, type Tenant } from "../api/index.ts";
import type { JsonValue } from "../json/json-value.ts";
import { valueAt } from "../json/key-path.ts";
import type { OperationContext } from "../operation/operation-context.ts";
import { runFacts } from "../operation/run-record.ts";
import { type ConnectorMeaning, connectorMeaning } from "../operation/tenant-connection.ts";
import { listedRun } from "../operation/tenant-runs.ts";
import { isMask } from "../settings/masks.ts";
import { type Findings, found, notFound } from "./findings.ts";

/** Finds out what lists, schemas and statuses show. It only reads, and never shows a value. */
export async function observePlatform(
  context: OperationContext,
  findings: Findings,
  { wrongKey }: { wrongKey: boolean },
): Promise<void> {
  const { client, snapshot } = context;
  const [integrations, tenants] = [await snapshot.integrations.all(), [...(await snapshot.tenantsOf().all()).values()]];
  const archived: Tenant[] = [];
  for await (const tenant of client.tenants.list({ archived: true })) archived.push(tenant);
  const isAlong = tenants.some(({ id }) => archived.some((one) => one.id === id));
  findings.observations.push(
    `integrations: ${integrations.length}, live tenants: ${tenants.length}, tenants that archived=true lists: ${archived.length}` +
      (isAlong ? ", with live ones among them" : ""),
  );
  observeConnectors(context, findings, tenants);
  observeRuns(context, findings, tenants);
  await observeSecrets(context, findings, tenants);
  findings.observations.push(await listOfRuns(context, tenants));
  if (wrongKey) findings.observations.push(await answerToWrongKey(client.baseUrl));
}

function observeConnectors(context: OperationContext, findings: Findings, tenants: readonly Tenant[]): void {
  const meanings = new Map<string, ConnectorMeaning>();
  for (const { status } of tenants) {
    const { connected, connectors = [] } = status?.auth ?? {};
    for (const connector of connectors) {
      const alone = connectors.length === 1 && connected !== undefined;
      const shown: ConnectorMeaning = alone ? (connected ? "connected" : "not connected") : "unknown";
      const meaning = connectorMeaning(connector.status, context.connectorWords);
      const known = meaning === "unknown" ? shown : meaning;
      if (known !== "unknown" || !meanings.has(connector.status)) meanings.set(connector.status, known);
    }
  }
  const unclear = wordsOf(meanings, "unknown");
  const [connected, notConnected] = [wordsOf(meanings, "connected"), wordsOf(meanings, "not connected")];
  if (connected.length + notConnected.length > 0) {
    const evidence = `status.auth.connectors of ${tenants.length} tenants has ${[...meanings.keys()].join(", ")}`;
    found(findings, "connectors.words", { connected, notConnected }, "observed", evidence);
  } else notFound(findings, "connectors.words", "no tenant shows the status of a connector with a known meaning");
  if (unclear.length > 0) {
    findings.observations.push(
      `the meaning of the connector status ${unclear.join(", ")} is not known: add it to connectors.words by hand`,
    );
  }
}

function observeRuns({ runWords }: OperationContext, findings: Findings, tenants: readonly Tenant[]): void {
  const meanings = new Map<string, "succeeded" | "failed" | "unknown">();
  for (const { status } of tenants) {
    const { last_successful_run: success = {}, last_run: last = {} } = status ?? {};
    const [good, run] = [runFacts(success, runWords), runFacts(last, runWords)];
    if (good?.status !== undefined) meanings.set(good.status, "succeeded");
    if (run?.status === undefined) continue;
    const isGood = good?.id !== undefined && run.id === good.id;
    meanings.set(run.status, run.outcome ?? (isGood ? "succeeded" : (meanings.get(run.status) ?? "unknown")));
  }
  const [succeeded, failed, unclear] = (["succeeded", "failed", "unknown"] as const).map((one) =>
    wordsOf(meanings, one),
  );
  if ((succeeded?.length ?? 0) + (failed?.length ?? 0) > 0) {
    const evidence = `the last runs of ${tenants.length} tenants have the status ${[...meanings.keys()].join(", ")}`;
    found(findings, "runs.words", { succeeded, failed }, "observed", evidence);
  } else notFound(findings, "runs.words", "no tenant shows the status of a run that has ended");
  if (unclear !== undefined && unclear.length > 0) {
    findings.observations.push(
      `the meaning of the run status ${unclear.join(", ")} is not known: add it to runs.words by hand`,
    );
  }
}

function wordsOf<Meaning>(meanings: ReadonlyMap<string, Meaning>, wanted: Meaning): string[] {
  return [...meanings].flatMap(([word, meaning]) => (meaning === wanted ? [word] : [])).sort();
}

/** Compares what tenants show at the places that the schemas of their releases mark as secrets. */
async function observeSecrets(
  { snapshot, configSchemaOf }: OperationContext,
  findings: Findings,
  tenants: readonly Tenant[],
): Promise<void> {
  const shown: JsonValue[] = [];
  let marked = 0;
  for (const tenant of tenants) {
    const { integration_id: integrationId, integration_release_id: releaseId } = tenant;
    if (integrationId === undefined || typeof releaseId !== "number") continue;
    const release = (await snapshot.releasesOf(integrationId).all()).find(({ id }) => id === releaseId);
    const schema = configSchemaOf(release);
    const names = schema.namesAt([]).filter((name) => schema.isHidden([name]));
    marked += names.length;
    shown.push(...names.flatMap((name) => valueAt(tenant.configs, [name]) ?? []));
  }
  const evidence = `${shown.length} values in configs that the schemas mark as secret`;
  if (shown.length > 0 && shown.every(isMask)) found(findings, "secrets.display", "masked", "observed", evidence);
  else {
    const why = marked === 0 ? "no schema of the tenants' releases marks a secret" : "reads alone do not show it";
    notFound(findings, "secrets.display", why);
  }
}

/** Whether there is a list of a tenant's runs, which the specification does not have, and which words it shows. */
async function listOfRuns({ tenantRuns }: OperationContext, tenants: readonly Tenant[]): Promise<string> {
  const one = tenants.find(({ status }) => status?.last_run != null) ?? tenants[0];
  if (one === undefined) return "the list of a tenant's runs was not asked for, as there is no tenant";
  const runs = await tenantRuns.newest(one.id, 20);
  if (runs === undefined) return "there is no list of a tenant's runs: runs other than the last one are not seen";
  const listed = runs.map((run) => listedRun(run));
  const wordsIn = (words: readonly string[]) => [...new Set(words)].sort().join(", ") || "none";
  return (
    `the list of tenant ${one.id}'s runs shows ${listed.length}, with the modes ${wordsIn(listed.map(({ mode }) => mode))} and ` +
    `the sources ${wordsIn(listed.flatMap(({ sources }) => sources))}`
  );
}

async function answerToWrongKey(baseUrl: string): Promise<string> {
  const allowInsecureHttp = [new URL(baseUrl).host]; // the right key was sent there too
  const client = createClient({ baseUrl, apiKey: "calibrate-wrong-key", allowInsecureHttp, maxAttempts: 1 });
  try {
    await client.integrations.listPage({ limit: 1 });
    return "a wrong key is accepted";
  } catch (error) {
    if (error instanceof AuthenticationError) return `a wrong key is answered with ${error.status}`;
    throw error;
  } finally {
    await client.close();
  }
}
