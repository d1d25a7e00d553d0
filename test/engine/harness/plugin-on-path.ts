import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder with the plugin's executable, which runs the sources. */
export async function pluginOnPath() {
  const folder = await mkdtemp(join(tmpdir(), "plugin-on-path-"));
  const executable = join(folder, "pulumi-resource-integration-platform");
  const main = join(import.meta.dirname, "../../../src/plugin/main.ts");
  await writeFile(executable, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  await chmod(executable, 0o755);
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
