import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../../..");
const parts = ["engine", "scripts", "src", "package.json", "LICENSE"];

/** A copy of this repository's sources, to change them and build from them. */
export interface CloneOfSources extends AsyncDisposable {
  readonly path: string;
}

/** Its packages are this repository's, in a folder of its own: what is built is kept in `node_modules/.cache`. */
export async function makeCloneOfSources(): Promise<CloneOfSources> {
  const path = await mkdtemp(join(tmpdir(), "integration-platform-clone-"));
  for (const part of parts) await cp(join(repository, part), join(path, part), { recursive: true });
  await mkdir(join(path, "node_modules"));
  for (const name of await readdir(join(repository, "node_modules"))) {
    if (name !== ".cache") await symlink(join(repository, "node_modules", name), join(path, "node_modules", name));
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
