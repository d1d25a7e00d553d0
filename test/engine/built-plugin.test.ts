import { appendFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeCloneOfSources } from "./harness/clone-of-sources.ts";
import { runIn } from "./harness/packed-package.ts";

test("the plugin of a clone is built once for the same sources, and again for others", async () => {
  await using clone = await makeCloneOfSources();
  const build = async () => {
    const print = 'const { builtPlugin } = await import("./engine/built-plugin.ts"); console.log(await builtPlugin());';
    const stdout = await runIn(clone.path, process.execPath, "--input-type=module", "--eval", print);
    const folder = stdout.trim();
    return { folder, builtAt: (await stat(join(folder, "plugin.mjs"))).mtimeMs };
  };

  const [first, concurrent] = await Promise.all([build(), build()]);
  expect(concurrent).toEqual(first);
  expect(await build()).toEqual(first);

  await appendFile(join(clone.path, "src/plugin/main.ts"), '\nconsole.error("changed");\n');
  const second = await build();
  expect(second.folder).not.toBe(first.folder);
  expect(await readFile(join(second.folder, "plugin.mjs"), "utf8")).toContain('console.error("changed")');
});
