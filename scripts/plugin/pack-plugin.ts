import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packFolder } from "../pack-folder.ts";
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
    await packFolder(archive, folder);
    return archive;
  } finally {
    await rm(folder, { recursive: true });
  }
}
