import { defined } from "../../json/defined.ts";
import { oneLine } from "../../json/one-line.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import {
  type DeclarableSettings,
  declarableSettings,
  integrationNameOrId,
} from "../../resources/existing/declarable-settings.ts";
import { type SomeSettings, settingNames } from "../../settings/table.ts";
import { formatPath } from "../property-path.ts";
import type { Selection } from "../tenants/select-tenants.ts";
import type { CommandContext } from "../with-platform.ts";
import { type LiveTenant, liveFleets, liveTenants } from "./live-tenants.ts";

/** A live tenant in the form in which a stack declares it to take it over. */
export interface ExportedTenant extends Pick<DeclarableSettings, "leftOut" | "notes"> {
  /** Name of the resource. */
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

/** The live tenants of the selection, by the names of integrations and tenants. */
export async function exportTenants(context: CommandContext, selection: Selection): Promise<ExportedTenant[]> {
  const exported = (await liveTenants(context, withMetadata(selection))).map(async (live) => {
    const { entry, ...rest } = await exportTenant(context, live);
    return { ...rest, entry: { integration: await integrationNameOrId(context, live.scope), ...entry } };
  });
  return Promise.all(exported);
}

/** A fleet for each integration of which the selection has live tenants. */
export async function exportFleets(context: CommandContext, selection: Selection): Promise<ExportedFleet[]> {
  const exported = (await liveFleets(context, withMetadata(selection))).map(async ({ key, scope, tenants }) => ({
    key,
    integration: await integrationNameOrId(context, scope),
    tenants: await Promise.all(tenants.map((tenant) => exportTenant(context, tenant))),
  }));
  return Promise.all(exported);
}

function withMetadata(selection: Selection): Selection {
  return { ...selection, reads: { metadata: true } };
}

async function exportTenant(
  context: OperationContext,
  { key, tenant, scope, fields }: LiveTenant,
): Promise<ExportedTenant> {
  const metadata = typeof fields.metadata === "symbol" ? {} : fields.metadata;
  const { settings, ...rest } = await declarableSettings(context, scope, { tenant, metadata });
  const { name, ...others } = settings;
  return { key, entry: defined({ name: name === key ? undefined : name, adopt: tenant.id, ...others }), ...rest };
}
