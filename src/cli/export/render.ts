import { oneLine } from "../../json/one-line.ts";
import type { LeftOut } from "../../settings/setting.ts";
import { table } from "../fit.ts";
import { toJson } from "../output.ts";
import { formatPath } from "../property-path.ts";
import type { Shell } from "../shell.ts";
import type { ExportedFleet, ExportedTenant } from "./exported-tenants.ts";
import { renderFleetProgram, renderTenantProgram } from "./render-program.ts";
import { renderFleetsYaml, renderTenantsYaml } from "./render-yaml.ts";
import { tenantFile } from "./tenant-files.ts";

/** The working directory, from which paths in the output begin. */
type Directory = Pick<Shell, "directory">;

/** The form of the output; JSON takes the place of the format. */
export interface OutputForm {
  format: "yaml" | "ts";
  json?: true | undefined;
  /** Folder of the files of the fleets' tenants. Default: the tenants stand in the output. */
  tenantsTo?: string | undefined;
}

/** The tenants, each as a resource of its own. */
export function renderTenants(
  shell: Directory,
  tenants: readonly ExportedTenant[],
  { format, json }: OutputForm,
): string {
  if (json) return toJson(tenants.map(withPathStrings));
  return format === "ts" ? renderTenantProgram(tenants) : renderTenantsYaml(shell, tenants);
}

/** The fleets. */
export function renderFleets(
  shell: Directory,
  fleets: readonly ExportedFleet[],
  { format, json, tenantsTo }: OutputForm,
): string {
  if (json) return toJson(fleets.map((fleet) => ({ ...fleet, tenants: fleet.tenants.map(withPathStrings) })));
  if (format === "ts") return renderFleetProgram(fleets);
  return renderFleetsYaml(
    shell,
    fleets,
    tenantsTo === undefined ? undefined : (fleet) => tenantFile(shell, tenantsTo, fleet),
  );
}

/** A setting that is not exported, with the tenant and the fleet it belongs to. */
export interface LeftOutRow extends LeftOut {
  fleet?: string;
  tenant: string;
}

/** The settings that are not exported, as a table for a terminal. */
export function renderLeftOut(leftOut: readonly LeftOutRow[]): string {
  const rows = leftOut.map(({ fleet, tenant, path, reason }) => [
    ...(fleet === undefined ? [] : [fleet]),
    tenant,
    formatPath(path),
    reason,
  ]);
  const title =
    "Not exported, so that `pulumi up` leaves these settings unchanged. " +
    "Declare secrets with `pulumi config set --secret --path`:";
  return `${title}\n${table(rows.map((row) => row.map(oneLine)))}`;
}

/** A warning if a stack's YAML may be too large for the engine, which passes the config in an environment variable. */
export function sizeWarning(stackYaml: string): string | undefined {
  const bytes = Buffer.byteLength(stackYaml.replace(/^ *#.*$/gm, ""));
  if (bytes <= configBytesMaximum) return undefined;
  return (
    `warning: the config has ${Math.round(bytes / 1024)} KiB, and on Linux the config of a stack can have at most 128 KiB. ` +
    "Write the tenants to files with --as fleets --tenants-to FOLDER, or use --format ts"
  );
}

/** Below Linux's limit of 128 KiB for a variable: the engine adds to what the file holds. */
const configBytesMaximum = 100_000;

function withPathStrings({ key, entry, leftOut }: ExportedTenant) {
  return { key, entry, leftOut: leftOut.map(({ path, reason }) => ({ path: formatPath(path), reason })) };
}
