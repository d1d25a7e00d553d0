import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { linkOnSite } from "../../docs/.vitepress/repository-links.ts";
import { type CommandOutcome, runCommand } from "../../engine/run-command.ts";
import { documents, repository } from "./documents.ts";

describe("the links of the documents", { timeout: 120_000 }, () => {
  test("lead to files and headings that exist", async () => {
    expect(documents.length).toBeGreaterThan(60);
    expect(documents).toEqual(expect.arrayContaining(["README.md", "docs/index.md", "examples/ci/README.md"]));
    expect(await checkLinks(documents)).toMatchObject({ code: 0, stderr: "" });
  });

  test("would be reported if a file or a heading were missing", async () => {
    const folder = await mkdtemp(join(tmpdir(), "integration-platform-links-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [one, other] = [join(folder, "one.md"), join(folder, "other.md")];
    const links = "[a](#one), [b](#two), [c](other.md#other), [d](other.md#one), [e](none.md), ![f](f.png)";
    await writeFile(one, `# One\n\n${links}\n`);
    await writeFile(other, "# Other\n");
    const { code, stderr } = await checkLinks([one, other]);
    expect(code).toBe(1);
    const reports = stderr.matchAll(/Cannot find (heading|file)[^`]*`([^`]+)`/g);
    expect([...reports].map(([, kind, name]) => [kind, name]).toSorted()).toEqual([
      ["file", "f.png"],
      ["file", "none.md"],
      ["heading", "#one"],
      ["heading", "#two"],
    ]);
  });
});

describe("a link of a page of the site", () => {
  const repositoryUrl = "https://git.example.com/owner/name";

  test.each([
    ["drift.md#history", "drift.md#history"],
    ["../concepts.md", "../concepts.md"],
    ["#here", "#here"],
    ["/reference/", "/reference/"],
    ["https://example.com/x.ts", "https://example.com/x.ts"],
    ["mailto:somebody@example.com", "mailto:somebody@example.com"],
    ["../../src/api/index.ts", `${repositoryUrl}/blob/main/src/api/index.ts`],
    ["../../README.md#two-commands", `${repositoryUrl}/blob/main/README.md#two-commands`],
    ["../../examples/ci", `${repositoryUrl}/blob/main/examples/ci`],
    ["../performance/fleet.svg", `${repositoryUrl}/blob/main/docs/performance/fleet.svg`],
  ])("%s leads to another page, or to the repository", (href, expected) => {
    expect(linkOnSite(href, "guides/rollouts.md", repositoryUrl)).toBe(expected);
  });
});

/** Checks the relative links of Markdown files. Each broken one is a line of the standard error. */
function checkLinks(files: readonly string[]): Promise<CommandOutcome> {
  const remark = join(repository, "node_modules/remark-cli/cli.js");
  // The remote repository has no say in what exists: `repository: false`.
  const use = ["--use", "remark-validate-links=repository:false"];
  const args = [...use, "--frail", "--quiet", "--no-stdout", "--no-config", "--no-color"];
  return runCommand(process.execPath, [remark, ...args, ...files], { cwd: repository, timeLimitSeconds: 100 });
}
