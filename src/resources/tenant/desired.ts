import type { Tenant } from "../../api/index.ts";
import { defined } from "../../json/defined.ts";
import type { JsonObject } from "../../json/json-value.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { releaseSchemas } from "../../operation/release-schemas.ts";
import { type SecretTable, secretTable } from "../../secrets/secret-table.ts";
import { undiffering } from "../../secrets/walk.ts";
import { type ResolvedRelease, releaseToRun } from "../../settings/release.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import type { SchemaViolations } from "../../settings/schema-violations.ts";
import type { Schemas } from "../../settings/setting.ts";
import {
  type KeysName,
  keysEntries,
  type ResolvedSettings,
  type SettingName,
  type SomeSettings,
  settingEntries,
  settingsFrom,
  settingsOf,
  type TenantSettings,
} from "../../settings/table.ts";
import type { Releases } from "../../snapshot/index.ts";
import { secretMarks, secretSchemas } from "../existing/secret-schemas.ts";
import { noHistory, type WriteHistory } from "./observed-tenant.ts";
import type { TenantInputs } from "./schema.ts";
import { type WaitingChoices, withoutWaitingChoices } from "./waiting-choices.ts";

/** The desired settings of a tenant. They do not change while they are applied. */
export interface Desired {
  /** The declared settings. */
  readonly settings: SomeSettings;
  /** The declared settings in the form that the API accepts. */
  readonly resolved: ResolvedSettings;
  /** Keys that were declared before and no longer are, for each setting. */
  readonly removed: RemovedKeys;
  /** The schemas of the release that the tenant is going to run. */
  readonly schemas: Schemas;
  /** The values of the references to secrets in the declared settings. */
  readonly secrets: SecretTable;
  /** The paths of the values that the program declares as secret. */
  readonly secretPaths: readonly SettingPath[];
  /** What a value is that violates a schema. With `off`, the schemas say nothing, so nothing waits for options. */
  readonly schemaViolations?: SchemaViolations | undefined;
  /** The declared configs that wait for options of the tenant. They are not among the settings. Absent if none does. */
  readonly waiting?: WaitingChoices | undefined;
}

/** The desired settings of a `Tenant` or an entry of a fleet, which always include the name. */
export interface DesiredTenant extends Desired {
  readonly settings: TenantSettings;
}

export type RemovedKeys = { readonly [Name in SettingName]?: readonly string[] };

/**
 * The desired settings according to the inputs.
 *
 * @param before the settings in the state; none for a new resource.
 * @param tenant the live tenant; none for a new one.
 */
export async function desiredOf(
  context: OperationContext,
  integration: IntegrationScope,
  inputs: TenantSettings & Partial<Pick<TenantInputs, "secretPaths" | "schemaViolations">>,
  before: SomeSettings = {},
  tenant?: Tenant,
): Promise<DesiredTenant> {
  // in a live tenant, such a mark keeps the value that the platform has
  const settings = settingsOf(tenant === undefined ? { ...inputs, ...withoutMarks(inputs) } : inputs);
  const resolved = await resolvedSettings(integration.releases, settings);
  const desired: DesiredTenant = {
    settings,
    resolved,
    removed: removedKeys(before, settings),
    schemas: await schemasOf(context, integration, resolved.release, tenant),
    secrets: secretTable(context, settings),
    secretPaths: inputs.secretPaths ?? [],
    schemaViolations: inputs.schemaViolations ?? context.schemaViolations,
  };
  return withoutWaitingChoices(desired, integration, tenant);
}

/** The free-form settings without the marks of references that differ: `ignoreChanges` declares what a refresh observed. */
function withoutMarks(settings: SomeSettings): { [Name in KeysName]?: JsonObject } {
  const entries = keysEntries.flatMap(([name]): [string, JsonObject][] => {
    const declared = settings[name];
    return declared === undefined ? [] : [[name, undiffering(declared, [])]];
  });
  return Object.fromEntries(entries);
}

/** The declared settings in the API's form. Throws {@link UnknownNameError} if one names something that does not exist. */
export async function resolvedSettings(releases: Releases, settings: SomeSettings): Promise<ResolvedSettings>;
export async function resolvedSettings(releases: Releases, settings: SomeSettings): Promise<object> {
  const entries = settingEntries.map(async ([name, setting]) => {
    const written = settings[name];
    if (written === undefined || setting.resolve === undefined) return [name, written] as const;
    return [name, await setting.resolve(written, releases)] as const;
  });
  return defined(Object.fromEntries(await Promise.all(entries)));
}

/** The schemas of the release that a tenant runs or is going to run. If no list shows it, only what marks the tenant's secrets. */
export async function schemasOf(
  context: OperationContext,
  integration: IntegrationScope,
  declared: ResolvedRelease | undefined,
  tenant?: Tenant,
): Promise<Schemas> {
  const release = await releaseToRun(integration.releases, integration.record, declared, tenant);
  if (release === undefined && tenant !== undefined) {
    const { configs, metadata } = await secretSchemas(context, integration, tenant);
    return { configs: secretMarks([configs]), metadata: secretMarks([metadata]) };
  }
  return releaseSchemas(context, release);
}

/** Keys of free-form settings that were declared before and no longer are. */
export function removedKeys(before: SomeSettings, now: SomeSettings): RemovedKeys {
  const removed = (old: JsonObject = {}, declared: JsonObject = {}) =>
    Object.keys(old).filter((key) => !Object.hasOwn(declared, key));
  return Object.fromEntries(keysEntries.map(([name]) => [name, removed(before[name], now[name])]));
}

/**
 * The history of a tenant that the POST of this operation has made.
 *
 * @param answer the tenant in the POST's answer. Absent if it was lost.
 * @param mayBeChanged whether others may have written to the tenant since.
 */
export function createdHistory({ settings, resolved }: Desired, answer?: Tenant, mayBeChanged = true): WriteHistory {
  const created = settingEntries.flatMap(([name, setting]) => {
    const value = resolved[name];
    return value !== undefined && setting.createFields?.(value) !== undefined ? [name] : [];
  });
  return {
    ...noHistory,
    lastKnown: settingsFrom(created.map((name) => [name, settings[name]])),
    before: Object.fromEntries(created.map((name) => [name, "nothing"])),
    answered: answer === undefined ? {} : { tenant: answer },
    isNew: true,
    mayBeChanged,
  };
}
