import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import type { ExportedFleet } from "./export-fleets.ts";
import { writeTenantsYaml } from "./write-stack-yaml.ts";

/** A file that could not be written, or must not be. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/** The file of a fleet's tenants, as `tenantsFrom` names it: relative to the working directory. */
export function tenantsPath(folder: string, { key }: ExportedFleet): string {
  return relative("", resolve(folder, `${key}.yaml`)).replaceAll(sep, "/");
}

/** Writes a file for each fleet, with its tenants by key. Nothing where one of them exists already: that is an {@link OutputError}. */
export async function writeTenantsFiles(folder: string, fleets: readonly ExportedFleet[]): Promise<void> {
  const existing = fleets.map(({ key }) => join(folder, `${key}.yaml`)).filter((path) => existsSync(path));
  if (existing.length > 0) {
    throw new OutputError(
      `nothing was written, as export overwrites no file: ${existing.join(", ")}; ` +
        "remove what is there, or name another folder with --tenants-to",
    );
  }
  for (const fleet of fleets) {
    const path = join(folder, `${fleet.key}.yaml`);
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(path, writeTenantsYaml(fleet), { flag: "wx" });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OutputError(`cannot write the tenants of fleet "${fleet.key}" to ${path}: ${reason}`, { cause: error });
    }
  }
}
