import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runIn } from "./harness/packed-package.ts";

const repository = join(import.meta.dirname, "../..");
const parts = ["engine", "scripts", "src", "package.json", "LICENSE"];

test("the plugin of a clone is built once for the same sources, and again for others", async () => {
  const clone = await mkdtemp(join(tmpdir(), "integration-platform-clone-"));
  onTestFinished(() => rm(clone, { recursive: true }));
  for (const part of parts) await cp(join(repository, part), join(clone, part), { recursive: true });
  await linkPackages(clone);
  const build = async () => {
    const print = 'const { builtPlugin } = await import("./engine/built-plugin.ts"); console.log(await builtPlugin());';
    const stdout = await runIn(clone, process.execPath, "--input-type=module", "--eval", print);
    const folder = stdout.trim();
    return { folder, builtAt: (await stat(join(folder, "plugin.mjs"))).mtimeMs };
  };

  const [first, concurrent] = await Promise.all([build(), build()]);
  expect(concurrent).toEqual(first);
  expect(await build()).toEqual(first);

  await appendFile(join(clone, "src/plugin/main.ts"), '\nconsole.error("changed");\n');
  const second = await build();
  expect(second.folder).not.toBe(first.folder);
  expect(await readFile(join(second.folder, "plugin.mjs"), "utf8")).toContain('console.error("changed")');
});

/** The packages of this clone, in a folder of its own: what is built is kept in `node_modules/.cache`. */
async function linkPackages(clone: string): Promise<void> {
  await mkdir(join(clone, "node_modules"));
  for (const name of await readdir(join(repository, "node_modules"))) {
    if (name !== ".cache") await symlink(join(repository, "node_modules", name), join(clone, "node_modules", name));
  }
}
