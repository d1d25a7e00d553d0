import { printToStandardError, type Shell } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { type ExitCode, exitCodes } from "../subcommand.ts";
import type { Selection } from "../tenants/select-tenants.ts";
import { type CommandContext, withPlatform } from "../with-platform.ts";
import { type ExportedTenant, exportFleets, exportTenants } from "./exported-tenants.ts";
import { heldByStackFile, isDeclarable } from "./held-by-stack-file.ts";
import { liveFleets, liveTenants } from "./live-tenants.ts";
import { type LeftOutRow, type OutputForm, renderFleets, renderLeftOut, renderTenants, sizeWarning } from "./render.ts";
import { renderFleetImports, renderTenantImports } from "./render-import-file.ts";
import { writeTenantFiles } from "./tenant-files.ts";

/** What is exported, in which form, and the stack whose connection is used. */
export interface ExportOptions extends StackChoice {
  /** Name or id of the integration, or `all`. */
  integration: string;
  /** The expression of `--where`. Default: all tenants. */
  where?: string | undefined;
  as: "tenants" | "fleets";
  format: "yaml" | "ts" | "import";
  /** JSON instead of the format. */
  json?: true | undefined;
  /** Folder for a file of each fleet's tenants. Default: the tenants stand in the output. */
  tenantsTo?: string | undefined;
}

/** Prints the live tenants to standard output, and the settings that are not exported to standard error. */
export async function runExport(shell: Shell, options: ExportOptions): Promise<ExitCode> {
  const { text, leftOut } = await withPlatform(shell, (context) => exported(context, options), options);
  shell.stdout.write(text);
  if (leftOut.length > 0) printToStandardError(shell, renderLeftOut(leftOut));
  const warning = options.json || options.format !== "yaml" ? undefined : sizeWarning(text);
  if (warning !== undefined) printToStandardError(shell, warning);
  return exitCodes.success;
}

type FormOptions = OutputForm & Pick<ExportOptions, "integration" | "where">;

interface Exported {
  text: string;
  leftOut: LeftOutRow[];
}

async function exported(context: CommandContext, options: ExportOptions): Promise<Exported> {
  const { format, ...rest } = options;
  // the import itself reads the settings, and warns of those that it leaves out
  if (format === "import" && !rest.json) return { text: await importFileAsText(context, options), leftOut: [] };
  const form = { ...rest, format: format === "ts" ? format : "yaml" } as const;
  return rest.as === "fleets" ? fleetsAsText(context, form) : tenantsAsText(context, form);
}

function selectionOf({ integration, where }: Pick<ExportOptions, "integration" | "where">): Selection {
  return { integration, where };
}

async function importFileAsText(context: CommandContext, { as, ...options }: ExportOptions): Promise<string> {
  return as === "fleets"
    ? renderFleetImports(await liveFleets(context, selectionOf(options)))
    : renderTenantImports(await liveTenants(context, selectionOf(options)));
}

async function tenantsAsText(context: CommandContext, options: FormOptions): Promise<Exported> {
  const all = await exportTenants(context, selectionOf(options));
  const tenants = isStackYaml(options) ? all.map(heldByStackFile) : all;
  const declared = tenants.filter(isDeclarable);
  return { text: renderTenants(context.shell, declared, options), leftOut: tenants.flatMap(leftOutRowsOf) };
}

async function fleetsAsText(context: CommandContext, options: FormOptions): Promise<Exported> {
  const all = await exportFleets(context, selectionOf(options));
  const isInStack = isStackYaml(options) && options.tenantsTo === undefined;
  const exported = isInStack ? all.map((one) => ({ ...one, tenants: one.tenants.map(heldByStackFile) })) : all;
  const fleets = exported.map((one) => ({ ...one, tenants: one.tenants.filter(isDeclarable) }));
  if (options.tenantsTo !== undefined) await writeTenantFiles(context.shell, options.tenantsTo, fleets);
  const leftOut = exported.flatMap(({ key, tenants }) =>
    tenants.flatMap(leftOutRowsOf).map((row): LeftOutRow => ({ fleet: key, ...row })),
  );
  return { text: renderFleets(context.shell, fleets, options), leftOut };
}

/** Whether the Pulumi engine reads what is printed. */
function isStackYaml({ format, json }: FormOptions): boolean {
  return format === "yaml" && !json;
}

function leftOutRowsOf({ key, leftOut }: ExportedTenant): LeftOutRow[] {
  return leftOut.map((setting) => ({ tenant: key, ...setting }));
}
