import { readFileSync } from "node:fs";

/** The version of this package. Its manifest is one folder up, in this repository and in an installed package. */
export function packageVersion(): string {
  read ??= JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return read?.version ?? "";
}

let read: { version: string } | undefined;
