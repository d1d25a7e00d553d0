import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** Makes a script that stands in for `pulumi`, and prints the config of a stack. */
export async function standInStack(config: Readonly<Record<string, unknown>>) {
  const folder = await mkdtemp(join(tmpdir(), "stand-in-stack-"));
  const entries = Object.entries(config).map(([key, value]) => [
    `integration-platform:${key}`,
    { value: typeof value === "string" ? value : JSON.stringify(value) },
  ]);
  const printed = JSON.stringify(Object.fromEntries(entries));
  await writeFile(join(folder, "pulumi"), `#!/bin/sh\necho '${printed}'\n`, { mode: 0o755 });
  return {
    folder,
    /** For a command with `--stack`. */
    env: { PATH: [folder, process.env.PATH].join(delimiter) },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
