import { inLine } from "../in-line.ts";
import type { Platform } from "../resources/platform.ts";
import { asJson } from "./as-json.ts";
import { exportFleets } from "./export-fleets.ts";
import { type ExportedTenant, exportTenants } from "./export-tenants.ts";
import { table } from "./table.ts";
import { writeFleetProgram, writeProgram } from "./write-program.ts";
import { writeFleetsYaml, writeStackYaml } from "./write-stack-yaml.ts";
import { tenantsPath, writeTenantsFiles } from "./write-tenants-files.ts";

/** What of the live tenants is written, and how. */
export interface ExportOptions {
  /** Name or id of the integration, or `"all"`. */
  integration: string;
  as: "tenants" | "fleets";
  format: "yaml" | "ts";
  /** Instead of the format. */
  json?: true;
  /** Folder of the files of the fleets' tenants. Default: they stand in the stack's own. */
  tenantsTo?: string;
}

/** Beyond this a program may not start: the engine hands it the whole config as one variable of its environment. */
const configBytesMaximum = 100_000;

/** Writes the live tenants to standard output, and to standard error what was left out of them. */
export async function runExport(platform: Platform, options: ExportOptions): Promise<void> {
  const { text, leftOut } = await (options.as === "fleets" ? fleets : tenants)(platform, options);
  process.stdout.write(text);
  reportLeftOut(leftOut);
  if (!options.json && options.format === "yaml") reportSize(text);
}

/** The text, and a row for each key that was left out. */
interface Exported {
  text: string;
  leftOut: string[][];
}

async function tenants(platform: Platform, { integration, format, json }: ExportOptions): Promise<Exported> {
  const exported = await exportTenants(platform, integration);
  const write = json ? asJson : format === "ts" ? writeProgram : writeStackYaml;
  return { text: write(exported), leftOut: exported.flatMap(rowsOf) };
}

async function fleets(
  platform: Platform,
  { integration, format, json, tenantsTo: folder }: ExportOptions,
): Promise<Exported> {
  const exported = await exportFleets(platform, integration);
  const leftOut = exported.flatMap(({ key, tenants }) => tenants.flatMap(rowsOf).map((row) => [key, ...row]));
  if (json) return { text: asJson(exported), leftOut };
  if (format === "ts") return { text: writeFleetProgram(exported), leftOut };
  if (folder === undefined) return { text: writeFleetsYaml(exported, undefined), leftOut };
  await writeTenantsFiles(folder, exported);
  return { text: writeFleetsYaml(exported, (fleet) => tenantsPath(folder, fleet)), leftOut };
}

function rowsOf({ key, leftOut }: ExportedTenant): string[][] {
  return leftOut.map(({ path, reason }) => [key, path, reason]);
}

function reportLeftOut(rows: readonly string[][]): void {
  if (rows.length === 0) return;
  console.error(
    "Left out, and so left alone by `pulumi up`; declare a secret with `pulumi config set --secret --path`:",
  );
  console.error(table(rows.map((row) => row.map(inLine))));
}

function reportSize(stackYaml: string): void {
  const bytes = Buffer.byteLength(stackYaml.replace(/^ *#.*$/gm, ""));
  if (bytes <= configBytesMaximum) return;
  console.error(
    `warning: ${Math.round(bytes / 1024)} KiB may be more than one stack's config can hold, which is 128 KiB on Linux: ` +
      "write the tenants to files with --as fleets --tenants-to FOLDER, or use --format ts",
  );
}
