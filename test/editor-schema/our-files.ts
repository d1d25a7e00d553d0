import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const repository = join(import.meta.dirname, "../..");

/** The files of this repository that a schema is for. */
export const ourFiles = ["Pulumi.sandbox.yaml", "Pulumi.production.yaml"] as const;

export function readOurFile(name: string): Promise<string> {
  return readFile(join(repository, name), "utf8");
}

/** The first line by which an editor finds the schema of a file. */
export const firstLine = /^# yaml-language-server: \$schema=(\S+)\n/;
