import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { zstdCompressSync } from "node:zlib";
import { parse } from "yaml";
import { z } from "zod";

/** A stack that does not exist yet, of a project whose secrets the passphrase `test` protects. */
export interface NewStack {
  /** The folder of Pulumi.yaml. */
  readonly directory: string;
  readonly stack: string;
  readonly stackFile: string;
  readonly home: string;
  /** The folder of the file backend. */
  readonly backend: string;
}

/**
 * Writes what `pulumi stack init` writes: an empty stack, selected. Each of a hundred stories makes one, and the command
 * takes a quarter of the processor time of an `up`.
 */
export async function writeNewStack({ directory, stack, stackFile, home, backend }: NewStack): Promise<void> {
  const projectFile = join(directory, "Pulumi.yaml");
  const { name: project } = projectSchema.parse(parse(await readFile(projectFile, "utf8")));
  const fullName = `organization/${project}/${stack}`;
  const latest = {
    manifest: { time: new Date().toISOString(), magic: "", version: "" },
    secrets_providers: { type: "passphrase", state: { salt } },
    metadata: {},
  };
  const checkpoint = { version: 3, checkpoint: { stack: fullName, latest } };
  const stacks = join(backend, ".pulumi/stacks", project);
  const workspaces = join(home, "workspaces");
  await Promise.all([mkdir(stacks, { recursive: true }), mkdir(workspaces, { recursive: true })]);

  const pathDigest = createHash("sha1").update(projectFile).digest("hex");
  const selected = { stacks: { [pathToFileURL(backend).href]: fullName } };
  await Promise.all([
    writeFile(join(backend, ".pulumi/meta.yaml"), "version: 1\n"),
    writeFile(join(stacks, `${stack}.json.zst`), zstdCompressSync(JSON.stringify(checkpoint))),
    writeFile(join(workspaces, `${project}-${pathDigest}-workspace.json`), JSON.stringify(selected)),
    appendFile(stackFile, `\nencryptionsalt: ${salt}\n`),
  ]);
}

/** Made by the engine from the passphrase `test`. */
const salt = "v1:Wy/pxo/HDKY=:v1:EHl5o4Sjc9G8w924:hqzakL4E0D86PRcBM4eHunalgvKsmA==";

const projectSchema = z.looseObject({ name: z.string() });
