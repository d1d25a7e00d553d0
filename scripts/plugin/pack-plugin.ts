import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommand } from "../../engine/run-command.ts";
import { manifestSchema } from "../published-manifest.ts";
import { writePlugin } from "./write-plugin.ts";

const repository = dirname(dirname(import.meta.dirname));

/**
 * Packs the provider plugin as `pulumi plugin install --file` takes it. One archive serves every operating system and
 * processor. Answers its path.
 */
export async function packPlugin(destination = join(repository, "dist")): Promise<string> {
  const { version } = manifestSchema.parse(JSON.parse(await readFile(join(repository, "package.json"), "utf8")));
  const folder = await mkdtemp(join(tmpdir(), "integration-platform-plugin-"));
  try {
    await writePlugin(folder);
    const archive = join(destination, `pulumi-resource-integration-platform-v${version}.tar.gz`);
    const args = ["-czf", archive, "-C", folder, ...(await readdir(folder)).sort()];
    const { code, stderr } = await runCommand("tar", args, { timeLimitSeconds: 60 });
    if (code !== 0) throw new Error(`tar failed.\n${stderr}`);
    return archive;
  } finally {
    await rm(folder, { recursive: true });
  }
}
