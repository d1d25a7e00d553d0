import type { Tenant } from "../../api/index.ts";
import { defined } from "../../json/defined.ts";
import { oneLine } from "../../json/one-line.ts";
import { type IntegrationScope, integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import {
  type DeclarableSettings,
  declarableSettings,
  integrationNameOrId,
} from "../../resources/existing/declarable-settings.ts";
import { byName, uniqueKeys } from "../../resources/existing/unique-keys.ts";
import { type SomeSettings, settingNames } from "../../settings/table.ts";
import { formatPath } from "../property-path.ts";
import { parseNameOrId } from "../with-platform.ts";

/** A live tenant in the form in which a stack declares it to take it over. */
export interface ExportedTenant extends Pick<DeclarableSettings, "leftOut" | "notes"> {
  /** Name of the resource: see {@link uniqueKeys}. */
  key: string;
  entry: ExportedEntry;
}

/** The settings of an exported tenant, and which tenant it is. */
export interface ExportedEntry extends SomeSettings {
  integration?: string | number;
  adopt: number;
}

/** The lines of the comment at an exported tenant: its settings that are not exported, and the notes of its own settings. */
export function commentLines(
  { leftOut, notes }: Pick<ExportedTenant, "leftOut" | "notes">,
  ownEntry: Partial<ExportedEntry>,
): string[] {
  const own = settingNames.filter((name) => ownEntry[name] !== undefined);
  return [
    ...leftOut.map(({ path, reason }) => `${oneLine(formatPath(path))} is not exported: it ${reason}`),
    ...own.flatMap((name) => notes[name] ?? []).map(oneLine),
  ];
}

/** The live tenants of an integration as one fleet. */
export interface ExportedFleet {
  /** Name of the resource and of its file: lowercase letters, digits and `-`. */
  key: string;
  /** The name; the id if several integrations have this name. */
  integration: string | number;
  /** By name. Their entries name no integration, because the fleet does. */
  tenants: ExportedTenant[];
}

/** The live tenants of the integration with this name or id, or of `all`, by the names of integrations and tenants. */
export async function exportTenants(context: OperationContext, integration: string): Promise<ExportedTenant[]> {
  const live = await liveTenants(context, integration);
  const keyOf = uniqueKeys(live.flatMap(({ tenants }) => tenants));
  const exported = live.flatMap(({ scope, tenants }) =>
    tenants.map(async (tenant) => {
      const { entry, ...rest } = await exportTenant(context, scope, tenant, keyOf(tenant));
      return { ...rest, entry: { integration: await integrationNameOrId(context, scope), ...entry } };
    }),
  );
  return Promise.all(exported);
}

/** A fleet for the integration with this name or id, or for each of `all`. Integrations without live tenants have none. */
export async function exportFleets(context: OperationContext, integration: string): Promise<ExportedFleet[]> {
  const live = (await liveTenants(context, integration)).filter(({ tenants }) => tenants.length > 0);
  const fleets = live.map(({ scope, tenants }) => ({ id: scope.id, name: fleetName(scope.record), scope, tenants }));
  const fleetKeyOf = uniqueKeys(fleets);
  const exported = fleets.map(async ({ scope, tenants, ...fleet }): Promise<ExportedFleet> => {
    const keyOf = uniqueKeys(tenants);
    return {
      key: fleetKeyOf(fleet),
      integration: await integrationNameOrId(context, scope),
      tenants: await Promise.all(tenants.map((tenant) => exportTenant(context, scope, tenant, keyOf(tenant)))),
    };
  });
  return Promise.all(exported);
}

async function exportTenant(
  context: OperationContext,
  scope: IntegrationScope,
  tenant: Tenant,
  key: string,
): Promise<ExportedTenant> {
  const metadata = (await readMetadata(context, scope.tenants, tenant.id)) ?? {};
  const { settings, ...rest } = await declarableSettings(context, scope, { tenant, metadata });
  const { name, ...others } = settings;
  return { key, entry: defined({ name: name === key ? undefined : name, adopt: tenant.id, ...others }), ...rest };
}

async function liveTenants(
  context: OperationContext,
  integration: string,
): Promise<{ scope: IntegrationScope; tenants: Tenant[] }[]> {
  const scopes = (await scopesOf(context, integration)).sort((left, right) => byName(left.record, right.record));
  const tenantsOf = async ({ tenants }: IntegrationScope) => [...(await tenants.all()).values()].sort(byName);
  return Promise.all(scopes.map(async (scope) => ({ scope, tenants: await tenantsOf(scope) })));
}

async function scopesOf(context: OperationContext, integration: string): Promise<IntegrationScope[]> {
  if (integration !== "all") return [await integrationScope(context, parseNameOrId(integration))];
  return Promise.all((await context.snapshot.integrations.all()).map(({ id }) => integrationScope(context, id)));
}

/** The name of an integration as a key. Names of integrations can hold any character and be long. */
function fleetName({ name }: { name: string }): string {
  const letters = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = letters.replace(/[^a-z0-9]+/g, "-").slice(0, 60);
  return words.replace(/^-|-$/g, "") || "integration";
}
