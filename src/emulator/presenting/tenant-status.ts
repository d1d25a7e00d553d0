import type { JsonObject } from "../entities/json.ts";
import type { AuthStatus, ConnectorStatus, TenantStatus } from "../entities/tenant.ts";
import type { Variants } from "../variants.ts";
import { presentKeptRun } from "./run.ts";
import { shownFields } from "./shown-fields.ts";

/** What the specification's TenantStatus and TenantAuthStatus mean where a field is absent. */
const statusDefaults = { last_run: {}, current_run: {}, last_successful_run: {}, dynamic_configs: {}, auth: {} };
const authDefaults = { connected: false, connectors: [] };

/** The words that the API has for where a connector of the tenant's own stands; the specification shows none. */
const connectionVocabularies: Readonly<
  Record<Variants["connectionWords"], Readonly<Record<"connected" | "disconnected", string>>>
> = {
  plain: { connected: "connected", disconnected: "disconnected" },
  capitalized: { connected: "Connected", disconnected: "Not-Connected" },
  linked: { connected: "linked", disconnected: "unlinked" },
  terse: { connected: "OK", disconnected: "NONE" },
};

/** A tenant's status as the API shows it, in the words and with the fields of the variants. */
export function presentStatus(variants: Variants, kept: TenantStatus): JsonObject {
  const { auth, ...status } = { ...kept, ...inWords(variants.statusWords, kept) };
  const { absentField } = variants;
  const shownAuth = auth && absentField !== "auth" ? presentAuth(variants, auth) : auth;
  return shownFields(
    variants,
    { ...status, ...(auth === undefined || absentField === "auth" ? {} : { auth: shownAuth }) },
    statusDefaults,
  );
}

/** A connector's status as the API shows it. A word that was set by hand stays as it is. */
export function presentConnectorStatus(variants: Variants, connector: ConnectorStatus): JsonObject {
  const { status } = connector;
  const words = connectionVocabularies[variants.connectionWords];
  const word = status === "connected" || status === "disconnected" ? words[status] : status;
  const { last_change, ...rest } = { ...connector, status: word };
  return shownFields(variants, { ...rest, ...(variants.absentField === "last_change" ? {} : { last_change }) });
}

function presentAuth(variants: Variants, { connected, connectors, ...more }: AuthStatus): JsonObject {
  const listed = connectors?.map((connector) => presentConnectorStatus(variants, connector)) ?? null;
  const auth = {
    ...more,
    ...(connected === undefined || variants.absentField === "connected" ? {} : { connected }),
    connectors: variants.authConnectors === "none" ? [] : listed,
  };
  return shownFields(variants, auth, authDefaults);
}

/** The runs that a status tells of, in the words of the variant. */
function inWords(words: Variants["statusWords"], status: TenantStatus): TenantStatus {
  const { last_run, current_run, last_successful_run } = status;
  return {
    ...(last_run ? { last_run: presentKeptRun(words, last_run) } : {}),
    ...(current_run ? { current_run: presentKeptRun(words, current_run) } : {}),
    ...(last_successful_run ? { last_successful_run: presentKeptRun(words, last_successful_run) } : {}),
  };
}
