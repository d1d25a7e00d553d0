import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { runCli } from "../cli/run-cli.ts";

const repository = join(import.meta.dirname, "../..");
const page = await readFile(join(repository, "docs/guides/rollouts.md"), "utf8");
const readme = await readFile(join(repository, "README.md"), "utf8");

const blocksOf = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``, "g"))].map(([, block = ""]) => block);

describe("docs/guides/rollouts.md", () => {
  test.each(blocksOf("yaml"))("has YAML that the schema and `validate` accept: %#", async (yaml) => {
    const schema = JSON.parse(await readFile(join(repository, "schemas/stack.schema.json"), "utf8"));
    const validate = new Ajv({ strict: false }).compile(schema);
    expect([validate(parse(yaml)), validate.errors]).toEqual([true, null]);

    const folder = await mkdtemp(join(tmpdir(), "rollouts-document-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "Pulumi.test.yaml"), yaml);
    const outcome = await runCli(undefined, ["validate", "Pulumi.test.yaml"], {}, folder);
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
  });

  test("is where the README says", () => {
    expect(readme).toContain("(docs/guides/rollouts.md)");
  });
});
