import { isFailureKind, type RunRecord, runSummary } from "../entities/run.ts";
import type { AuthStatus, ConnectorStatus, TenantStatus } from "../entities/tenant.ts";
import { isJsonObject, type JsonObject } from "../rules/json.ts";
import { connectionWord, isRunPhase, phaseWord } from "../rules/status-words.ts";
import type { Variants } from "../variants.ts";
import { presentFields } from "./present-fields.ts";

/** The values that the specification gives to absent fields of a TenantStatus and a TenantAuthStatus. */
const statusDefaults = { last_run: {}, current_run: {}, last_successful_run: {}, dynamic_configs: {}, auth: {} };
const authDefaults = { connected: false, connectors: [] };

/** A run as the API shows it. The specification does not document its fields. */
export function presentRun(variants: Variants, run: RunRecord): JsonObject {
  return inWords(variants, runSummary(run));
}

/** A tenant's status as the API shows it. */
export function presentStatus(variants: Variants, { auth, ...status }: TenantStatus): JsonObject {
  const hasAuth = auth !== undefined && variants.absentField !== "auth";
  const shown = {
    ...status,
    ...runsInWords(variants, status),
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

function runsInWords(variants: Variants, status: TenantStatus): TenantStatus {
  const { last_run, current_run, last_successful_run } = status;
  return {
    ...(last_run ? { last_run: inWords(variants, last_run) } : {}),
    ...(current_run ? { current_run: inWords(variants, current_run) } : {}),
    ...(last_successful_run ? { last_successful_run: inWords(variants, last_successful_run) } : {}),
  };
}

/** A run's summary in the API's words. A phase that somebody set by hand stays as it is. */
function inWords(variants: Variants, { failed, ...summary }: JsonObject): JsonObject {
  const { status, triggers } = summary;
  const shown = { ...summary, ...(Array.isArray(triggers) ? { triggers: shownTriggers(variants, triggers) } : {}) };
  if (!isJsonObject(status) || !isRunPhase(status.phase)) return shown;
  const kind = isFailureKind(failed) ? failed : undefined;
  return { ...shown, status: { ...status, phase: phaseWord(variants.statusWords, status.phase, kind) } };
}

function shownTriggers({ runsList }: Variants, triggers: readonly unknown[]): unknown[] {
  const isOther = runsList === "other-ids";
  return triggers.map((one) => (isOther && isJsonObject(one) ? { ...one, id: Number(one.id) + 1_000_000 } : one));
}
