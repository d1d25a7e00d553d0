import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findProblems } from "../../src/cli/validate/find-problems.ts";
import { projectOf } from "../../src/stack/yaml/project.ts";
import { testShell } from "../cli/test-shell.ts";
import { cipher } from "../stack/broken-stacks.ts";
import { type CodeBlock, codeBlocks } from "./documents.ts";
import { typeProblems } from "./type-problems.ts";

const placeOf = ({ document, line }: CodeBlock) => `${document}:${line}`;

describe("the TypeScript of the documents", () => {
  const blocks = codeBlocks("ts");
  const broken: CodeBlock = {
    document: "broken.md",
    line: 7,
    text: [
      'import { Tenant } from "pulumi-integration-platform";',
      "",
      'new Tenant("acme", { integration: "crm", shedule: "none" });',
    ].join("\n"),
  };
  let problems: readonly string[];

  beforeAll(() => {
    problems = typeProblems([...blocks, broken]);
  }, 300_000);

  test("compiles", () => {
    expect(blocks.length).toBeGreaterThan(10);
    expect(problems.filter((problem) => !problem.startsWith(broken.document))).toEqual([]);
  });

  test("would not compile with a misspelt input", () => {
    const found = problems.filter((problem) => problem.startsWith(broken.document));
    expect(found).toEqual([expect.stringMatching(/^broken\.md:9: .*'shedule'/s)]);
  });
});

describe("the YAML of stacks in the documents", () => {
  const stacks = codeBlocks("yaml").filter(({ text }) => text.startsWith("config:"));

  test("is in several documents", () => {
    expect(new Set(stacks.map(({ document }) => document)).size).toBeGreaterThan(5);
  });

  test.each(stacks.map((stack) => [placeOf(stack), stack.text]))("is valid at %s", async (_, text) => {
    expect(await problemsOf(text)).toEqual([]);
  });

  test("would not be valid with a misspelt key", async () => {
    const misspelt = stacks.map(({ text }) => text.replace("integration: crm", "integratoin: crm"));
    const changed = misspelt.filter((text) => text.includes("integratoin"));
    expect(changed.length).toBeGreaterThan(5);
    for (const text of changed) expect(await problemsOf(text)).not.toEqual([]);
  });
});

describe("the JSON of the documents", () => {
  const blocks = codeBlocks("json");

  test("can be parsed", () => {
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(() => JSON.parse(block.text), placeOf(block)).not.toThrow();
  });
});

/** What `validate` finds in a stack's file. The files that it names do not exist here, so that they are missing is no problem. */
async function problemsOf(text: string): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), "integration-platform-document-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, "Pulumi.test.yaml");
  await writeFile(path, text.replaceAll("secure: v1:...", `secure: ${cipher}`));
  const { problems, failures } = await findProblems(
    testShell().shell,
    [{ kind: "stack", path, project: projectOf(directory) }],
    {
      isOnline: false,
      warn: () => {},
    },
  );
  const isMissingFile = /^(there is no file or folder|names no file)/;
  const others = problems.filter(({ message }) => !isMissingFile.test(message));
  return [...others.map(({ line, message }) => `line ${line}: ${message}`), ...failures];
}
