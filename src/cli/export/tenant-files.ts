import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { shortList } from "../../json/short-list.ts";
import { messageOf, writeOutput } from "../output.ts";
import { pathIn, type Shell, shownPath } from "../shell.ts";
import { CommandError } from "../subcommand.ts";
import type { ExportedFleet } from "./exported-tenants.ts";
import { renderTenantFile } from "./render-yaml.ts";

/** The path of the file with a fleet's tenants, as `tenantsFrom` names it: relative to the working directory. */
export function tenantFile(shell: Pick<Shell, "directory">, folder: string, { key }: ExportedFleet): string {
  return shownPath(shell, pathIn(shell, join(folder, `${key}.yaml`))).replaceAll(sep, "/");
}

/**
 * Writes a file with the tenants of each fleet.
 *
 * @throws CommandError if one of the files exists already; then none is written. Also if a file cannot be written.
 */
export async function writeTenantFiles(shell: Shell, folder: string, fleets: readonly ExportedFleet[]): Promise<void> {
  const existing = fleets
    .map(({ key }) => join(folder, `${key}.yaml`))
    .filter((path) => existsSync(pathIn(shell, path)));
  if (existing.length > 0) {
    throw new CommandError(
      `no file was written, because export overwrites no file and these exist: ${shortList(existing)}. ` +
        "Remove them, or name another folder with --tenants-to",
    );
  }
  for (const fleet of fleets) {
    const path = join(folder, `${fleet.key}.yaml`);
    const what = `the tenants of fleet "${fleet.key}"`;
    await mkdir(pathIn(shell, folder), { recursive: true }).catch((cause: unknown) => {
      throw new CommandError(`cannot write ${what} to ${path}: ${messageOf(cause)}`, { cause });
    });
    await writeOutput(shell, path, { what, content: renderTenantFile(shell, fleet, folder), flag: "wx" });
  }
}
