import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { packedPackage, runIn } from "./harness/packed-package.ts";

const repository = join(import.meta.dirname, "../..");

describe("the tarball", () => {
  let tarball: string;
  let content: string;
  let files: string[];

  beforeAll(() =>
    endAfterTests(async (open) => {
      tarball = await packedPackage();
      const place = await mkdtemp(join(tmpdir(), "integration-platform-contents-"));
      open.defer(() => rm(place, { recursive: true }));
      await runIn(place, "tar", "-xzf", tarball);
      content = join(place, "package");
      files = await readdir(content, { recursive: true });
    }),
  );

  test("contains the built package, its documents, and nothing that only a clone needs", async () => {
    expect((await readdir(content)).sort()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "commonjs",
      "docs",
      "entry-points",
      "package.json",
      "schemas",
      "src",
    ]);
    const kinds = ["d.ts", "js", "cjs", "mjs", "json", "md", "yaml", "css", "svg"];
    const isExpected = (file: string) => /(^|\/)[\w-]+$/.test(file) || kinds.some((kind) => file.endsWith(`.${kind}`));
    expect(files.filter((file) => !isExpected(file) || file.includes(".test."))).toEqual([]);
  });

  test("has documents whose relative links all lead to its own files", async () => {
    const documents = files.filter((file) => file.endsWith(".md"));
    const links = await Promise.all(documents.map(async (file) => ({ file, targets: await relativeLinks(file) })));
    expect(links.flatMap(({ targets }) => targets).length).toBeGreaterThan(20);
    const broken = links.flatMap(({ file, targets }) =>
      targets
        .filter((target) => !existsSync(join(content, normalize(join(dirname(file), target)))))
        .map((target) => `${file} links to ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test("has a manifest that can be published, with provenance and without scripts", async () => {
    const manifest = JSON.parse(await readFile(join(content, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ publishConfig: { access: "public", provenance: true } });
    for (const name of ["private", "scripts", "devDependencies", "allowScripts"]) {
      expect(manifest).not.toHaveProperty(name);
    }
    expect(manifest.keywords).toContain("pulumi");
  });

  test("has types for every way to import each of its entry points", async () => {
    const attw = join(repository, "node_modules/@arethetypeswrong/cli/dist/index.js");
    const { stdout } = await runCommand(process.execPath, [attw, "--format", "ascii", tarball], {
      timeLimitSeconds: 120,
    });
    expect(stdout).toContain("No problems found");
    const { exports } = JSON.parse(await readFile(join(repository, "package.json"), "utf8"));
    const modules = Object.keys(exports).filter((path) => !path.includes("*"));
    expect(stdout.match(/node10: 🟢/g)).toHaveLength(modules.length);
  });

  async function relativeLinks(file: string): Promise<string[]> {
    const text = await readFile(join(content, file), "utf8");
    const targets = [...text.matchAll(/\]\(([^)]+)\)|(?:src|href)="([^"]+)"/g)].map(
      ([, inline, html]) => inline ?? html ?? "",
    );
    return targets.filter((target) => !/^([a-z]+:|#)/.test(target)).map((target) => target.replace(/[#? ].*/, ""));
  }
});

test("the sources cannot be published by mistake", async () => {
  const { code, stderr } = await runCommand("npm", ["publish", "--dry-run"], { cwd: repository, timeLimitSeconds: 60 });
  expect(code).not.toBe(0);
  expect(stderr).toContain("Publish the tarball that npm run pack makes");
});
