import { isDeepStrictEqual } from "node:util";
import type { Tenant } from "../../api/index.ts";
import { isJsonObject, type JsonObject } from "../../json/json-value.ts";
import { partOf } from "../../json/key-path.ts";
import type { ReleaseSchema } from "../../json-schema/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { canSync } from "../../operation/tenant-connection.ts";
import { isPlaceholder } from "../../secrets/placeholders.ts";
import type { SchemaViolations } from "../../settings/schema-violations.ts";
import type { Schemas } from "../../settings/setting.ts";
import type { ResolvedSettings, SomeSettings } from "../../settings/table.ts";
import type { WaitingFor } from "./observed-tenant.ts";

/** The declared configs that wait for what an `init` sync finds: keys that have a dynamic choice without options. */
export interface WaitingChoices {
  configs: JsonObject;
  waitingFor: WaitingFor[];
}

/** Desired settings, of which some may wait. */
export interface MayWait {
  readonly settings: SomeSettings;
  readonly resolved: ResolvedSettings;
  readonly schemas: Schemas;
  readonly schemaViolations?: SchemaViolations | undefined;
  readonly waiting?: WaitingChoices | undefined;
}

/**
 * The desired settings without the configs that wait, which are in `waiting` instead. What an earlier call has put there is looked
 * at again.
 *
 * @param tenant the live tenant; none for a new one, which has no options.
 */
export function withoutWaitingChoices<Own extends MayWait>(
  desired: Own,
  integration: IntegrationScope,
  tenant: Tenant | undefined,
): Own {
  const whole = withAllChoices(desired);
  const { settings, resolved, schemas, schemaViolations } = whole;
  if (settings.configs === undefined || schemaViolations === "off") return whole;
  const waiting = waitingChoices(settings.configs, schemas.configs, integration, tenant);
  if (waiting === undefined) return whole;
  const kept = Object.entries(settings.configs).filter(([key]) => !Object.hasOwn(waiting.configs, key));
  const configs = Object.fromEntries(kept);
  const sent = kept.length === 0 ? undefined : configs;
  return { ...whole, settings: { ...settings, configs }, resolved: { ...resolved, configs: sent }, waiting };
}

/** The desired settings with the configs that wait. */
export function withAllChoices<Own extends MayWait>(desired: Own): Own {
  const { settings, resolved, waiting } = desired;
  if (waiting === undefined) return desired;
  const configs = { ...settings.configs, ...waiting.configs };
  return { ...desired, settings: { ...settings, configs }, resolved: { ...resolved, configs }, waiting: undefined };
}

/**
 * The declared configs that wait. A value that the tenant has already does not wait.
 *
 * @returns `undefined` if there are none.
 */
function waitingChoices(
  declared: JsonObject,
  schema: ReleaseSchema,
  integration: IntegrationScope,
  tenant: Tenant | undefined,
): WaitingChoices | undefined {
  const { configs: live, status } = tenant ?? {};
  const waits = schema.dynamicChoices(declared, status?.dynamic_configs).filter(({ path: [key = ""], options }) => {
    const value = partOf(declared, key) ?? null;
    return options === undefined && !isPlaceholder(value, [key]) && !isDeepStrictEqual(partOf(live, key), value);
  });
  if (waits.length === 0) return undefined;
  const keys = [...new Set(waits.map(({ path: [key = ""] }) => key))];
  const waitingFor = keys.map((key): WaitingFor => {
    const definitions = new Set(waits.filter(({ path }) => path[0] === key).map(({ definition }) => definition));
    return {
      path: ["configs", key],
      reason: reasonOf([...definitions], integration, tenant),
      until: "options",
    };
  });
  const isWaiting = ([key]: readonly [string, unknown]) => keys.includes(key);
  return { configs: Object.fromEntries(Object.entries(declared).filter(isWaiting)), waitingFor };
}

/** The configs of a tenant with those that wait, in the order of their declaration. */
export function withWaitingChoices(
  configs: JsonObject | undefined,
  waiting: WaitingChoices | undefined,
  declared: unknown,
): JsonObject | undefined {
  if (waiting === undefined) return configs;
  const all = { ...configs, ...waiting.configs };
  const keys = new Set([...Object.keys(isJsonObject(declared) ? declared : {}), ...Object.keys(all)]);
  return Object.fromEntries([...keys].flatMap((key) => (Object.hasOwn(all, key) ? [[key, all[key] ?? null]] : [])));
}

function reasonOf(definitions: readonly string[], integration: IntegrationScope, tenant: Tenant | undefined): string {
  const missing = `the tenant has no options for ${definitions.join(" and ")} before its first init sync`;
  const readiness = tenant && canSync(tenant, integration);
  return readiness?.kind === "cannot" ? `${missing}, and ${readiness.reason}` : missing;
}
