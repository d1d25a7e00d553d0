import { type RunRecord, runSummary } from "../entities/run.ts";
import type { AuthStatus, ConnectorStatus, TenantStatus } from "../entities/tenant.ts";
import { isJsonObject, type JsonObject } from "../rules/json.ts";
import { connectionWord, isRunPhase, statusWord } from "../rules/status-words.ts";
import type { Variants } from "../variants.ts";
import { presentFields } from "./present-fields.ts";

/** The values that the specification gives to absent fields of a TenantStatus and a TenantAuthStatus. */
const statusDefaults = { last_run: {}, current_run: {}, last_successful_run: {}, dynamic_configs: {}, auth: {} };
const authDefaults = { connected: false, connectors: [] };

/** A run as the API shows it. The specification does not document its fields. */
export function presentRun({ statusWords }: Variants, run: RunRecord): JsonObject {
  return inWords(statusWords, runSummary(run));
}

/** A tenant's status as the API shows it. */
export function presentStatus(variants: Variants, { auth, ...status }: TenantStatus): JsonObject {
  const hasAuth = auth !== undefined && variants.absentField !== "auth";
  const shown = {
    ...status,
    ...runsInWords(variants.statusWords, status),
    ...(hasAuth ? { auth: auth && presentAuth(variants, auth) } : {}),
  };
  return presentFields(variants, shown, statusDefaults);
}

/** A connector's status as the API shows it. */
export function presentConnectorStatus(variants: Variants, connector: ConnectorStatus): JsonObject {
  const { last_change, ...rest } = {
    ...connector,
    status: connectionWord(variants.connectionWords, connector.status),
  };
  return presentFields(variants, { ...rest, ...(variants.absentField === "last_change" ? {} : { last_change }) });
}

function presentAuth(variants: Variants, { connected, connectors, ...more }: AuthStatus): JsonObject {
  const listed = connectors?.map((connector) => presentConnectorStatus(variants, connector)) ?? null;
  const auth = {
    ...more,
    ...(connected === undefined || variants.absentField === "connected" ? {} : { connected }),
    connectors: variants.authConnectors === "none" ? [] : listed,
  };
  return presentFields(variants, auth, authDefaults);
}

function runsInWords(vocabulary: Variants["statusWords"], status: TenantStatus): TenantStatus {
  const { last_run, current_run, last_successful_run } = status;
  return {
    ...(last_run ? { last_run: inWords(vocabulary, last_run) } : {}),
    ...(current_run ? { current_run: inWords(vocabulary, current_run) } : {}),
    ...(last_successful_run ? { last_successful_run: inWords(vocabulary, last_successful_run) } : {}),
  };
}

/** A run's summary with the API's word for its phase. A phase that somebody set by hand stays as it is. */
function inWords(vocabulary: Variants["statusWords"], summary: JsonObject): JsonObject {
  const { status } = summary;
  if (!isJsonObject(status) || !isRunPhase(status.phase)) return summary;
  return { ...summary, status: { ...status, phase: statusWord(vocabulary, status.phase) } };
}
