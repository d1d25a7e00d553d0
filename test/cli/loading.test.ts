import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

test("a command starts without the code of the other commands", async () => {
  const { files, packages } = await loadedAtStart("src/cli/main.ts");
  expect(packages).toEqual(["@commander-js/extra-typings"]);
  expect(files).toContain("src/cli/export/command.ts");
  expect(files).not.toContainEqual(expect.stringMatching(/\/run\.ts$/));
});

test("validate works without Pulumi", async () => {
  const { files, packages } = await loadedAtStart("src/cli/validate/run.ts");
  expect(files).toContain("src/stack/checks/check-config.ts");
  expect(packages).not.toContainEqual(expect.stringMatching(/^@pulumi\//));
});

/** The files and the packages that a program imports at its start, without those that it imports on demand. */
async function loadedAtStart(program: string): Promise<{ files: string[]; packages: string[] }> {
  const { metafile } = await build({
    absWorkingDir: join(import.meta.dirname, "../.."),
    entryPoints: [program],
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outdir: "not-written",
    write: false,
    metafile: true,
  });
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (kind !== "import-statement") continue;
      if (!external) visit(path);
      else if (!path.startsWith("node:")) packages.add(path);
    }
  };
  visit(program);
  return { files: [...files], packages: [...packages].sort() };
}
