import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { referenceFolder, referencePages } from "../../scripts/reference.ts";
import { providerSchemaFile } from "../../scripts/schemas.ts";
import * as api from "../../src/api/index.ts";
import { exitCodes, rolloutExitCodes, syncExitCodes } from "../../src/cli/subcommand.ts";
import { runCli } from "../cli/run-cli.ts";

const repository = join(import.meta.dirname, "../..");
const pages = referencePages();
const read = (file: string) => readFile(join(referenceFolder, file), "utf8");

describe("docs/reference has what `npm run reference` writes", () => {
  test.each(Object.entries(pages))("%s", async (file, text) => {
    expect(await read(file)).toBe(text);
  });

  test("and no other pages", async () => {
    const files = await readdir(referenceFolder);
    expect(files.filter((file) => file.endsWith(".md")).sort()).toEqual(Object.keys(pages).sort());
  });
});

test.each(Object.keys(pages))("%s has no HTML or expressions that Vue would read", async (file) => {
  const text = (await read(file)).replace(/^```[\s\S]*?^```/gm, "").replace(/``.*?``|`[^`]*`/g, "");
  expect(text.replaceAll("<!-- Written by npm run reference. -->", "").replaceAll("<br>", "")).not.toMatch(/<|\{\{/);
});

const named = z.record(z.string(), z.unknown());
const providerSchema = z
  .object({
    resources: z.record(z.string(), z.object({ inputProperties: named, properties: named })),
    functions: z.record(z.string(), z.unknown()),
    config: z.object({ variables: named }),
    provider: z.object({ inputProperties: named }),
  })
  .parse(JSON.parse(await readFile(providerSchemaFile, "utf8")));
const nameOf = (token: string) => token.split(":").at(-1) ?? "";

describe("the pages of the provider", () => {
  const resources = Object.entries(providerSchema.resources);

  test("are one for each resource, and the index leads to them", async () => {
    const index = await read("index.md");
    expect(resources.length).toBeGreaterThan(5);
    for (const [token] of resources) expect(index).toContain(`[${nameOf(token)}](${fileOf(nameOf(token))})`);
  });

  test.each(resources)("%s has inputs, outputs and examples", async (token, { inputProperties, properties }) => {
    const page = await read(fileOf(nameOf(token)));
    expect(Object.keys(inputProperties).length).toBeGreaterThan(1);
    for (const input of Object.keys(inputProperties)) expect(sectionOf(page, "Inputs")).toContain(`| \`${input}\` |`);
    for (const output of Object.keys(properties)) expect(page).toContain(`| \`${output}\` |`);
    expect(sectionOf(page, "Examples")).toContain(`new ${nameOf(token)}(`);
    expect(sectionOf(page, "Examples")).toContain(`type: integration-platform:${nameOf(token)}`);
  });

  test("lookups.md has every lookup", async () => {
    const page = await read("lookups.md");
    expect(Object.keys(providerSchema.functions).length).toBeGreaterThan(5);
    for (const token of Object.keys(providerSchema.functions)) expect(page).toContain(`\n## ${nameOf(token)}\n`);
  });

  test("provider.md has every setting, and no other is an input of a provider", async () => {
    const page = await read("provider.md");
    const inputs = Object.keys(providerSchema.provider.inputProperties);
    expect(inputs.toSorted()).toEqual(Object.keys(providerSchema.config.variables).toSorted());
    for (const key of Object.keys(providerSchema.config.variables)) {
      expect(sectionOf(page, "Config of the stack")).toContain(`| \`integration-platform:${key}\` |`);
    }
  });
});

describe("stack-yaml.md", () => {
  const object = z.looseObject({ properties: named });
  const stackSchema = z.object({
    properties: z.object({ config: object }),
    $defs: z.record(z.string(), z.looseObject({ properties: named.optional() })),
  });

  test("has every key of the namespace, and every key of the objects below", async () => {
    const schema = stackSchema.parse(JSON.parse(await readFile(join(repository, "schemas/stack.schema.json"), "utf8")));
    const page = await read("stack-yaml.md");
    const keys = Object.keys(schema.properties.config.properties).map(nameOf);
    expect(keys).toContain("fleets");
    for (const key of keys) expect(sectionOf(page, "The keys of the namespace")).toContain(`| \`${key}\` |`);
    const inner = Object.values(schema.$defs).flatMap(({ properties = {} }) => Object.keys(properties));
    expect(inner).toContain("maxUnavailable");
    for (const key of inner) expect(page).toContain(`| \`${key}\` |`);
  });
});

describe("commands.md", () => {
  test("has every exit code", async () => {
    const page = await read("commands.md");
    for (const code of Object.values(exitCodes)) expect(page.split("\n## ")[0]).toContain(`\`${code}\``);
    for (const code of Object.values(rolloutExitCodes))
      expect(sectionOf(page, "rollout status")).toContain(`\`${code}\`: `);
    for (const code of Object.values(syncExitCodes)) expect(sectionOf(page, "sync")).toContain(`\`${code}\`: `);
  });

  test("has every subcommand and option that --help shows", { timeout: 120_000 }, async () => {
    const page = await read("commands.md");
    const common = sectionOf(page, "Common options");
    const commands = await subcommandsOf([]);
    expect(commands.map((words) => words.join(" "))).toEqual(expect.arrayContaining(["status", "events list"]));
    expect(page).toContain("exits with `64` if the command line is wrong");
    for (const words of commands) {
      const section = sectionOf(page, words.join(" "));
      const { stdout } = await runCli(undefined, [...words, "--help"]);
      const options = [...stdout.matchAll(/^ {2}(--.*?)(?: {2,}|$)/gm)].map(([, flags]) => flags);
      const [, commonHere = ""] = /^\[Common options\]\(#common-options\): (.*)$/m.exec(section) ?? [];
      for (const option of options) {
        const isCommon = commonHere.split(", ").includes(`\`${option}\``);
        expect(isCommon ? common : section).toContain(`| \`${option}\` |`);
      }
      expect(section).toContain(`integration-platform ${words.join(" ")}`);
      const codes = [...(stdout.split(/^Exit codes:\n/m)[1] ?? "").matchAll(/^ {2}(\d+) /gm)].map(([, code]) => code);
      for (const code of codes.filter((one) => one !== "64"))
        expect(section).toMatch(new RegExp(`Exit codes:.*\`${code}\`: `));
    }
  });
});

describe("errors.md", () => {
  test("has every error class that the API client exports", async () => {
    const page = await read("errors.md");
    const classes = Object.entries(api).filter(
      ([, value]) => typeof value === "function" && value.prototype instanceof Error,
    );
    expect(classes.map(([name]) => name)).toEqual(expect.arrayContaining(["ApiError", "CancelledError"]));
    for (const [name] of classes) expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\| \`(ApiError|Error)\``, "m"));
  });
});

/** `TenantFleet` has `tenant-fleet.md`. */
function fileOf(resource: string): string {
  return `${resource.replace(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.md`;
}

/** What stands below a heading of the second level. */
function sectionOf(page: string, title: string): string {
  const [, section] = page.split(`\n## ${title}\n`);
  if (section === undefined) throw new Error(`The page has no heading "${title}".`);
  return section.split("\n## ")[0] ?? "";
}

/** The subcommands that `--help` lists, with theirs, as words of a command line. */
async function subcommandsOf(words: readonly string[]): Promise<(readonly string[])[]> {
  const { stdout } = await runCli(undefined, [...words, "--help"]);
  const [, after = ""] = stdout.split(/^Commands:\n/m);
  const [list = ""] = after.split("\n\n");
  const names = [...list.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name = ""]) => (name === "help" ? [] : [name]));
  const found = await Promise.all(
    names.map(async (name) => [[...words, name], ...(await subcommandsOf([...words, name]))]),
  );
  return found.flat();
}
