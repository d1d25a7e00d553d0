import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileProblems } from "../../engine/stack-file-problems.ts";
import { findProblems } from "../../src/cli/validate/find-problems.ts";
import { projectOf } from "../../src/stack/yaml/project.ts";
import { testShell } from "../cli/test-shell.ts";
import { brokenStacks, cipher, decrypted } from "./broken-stacks.ts";
import { errorLines, type StackFolder, stackFolder } from "./stack-folder.ts";

let folder: StackFolder;

beforeEach(async () => {
  folder = await stackFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

/** The places of the problems that `validate` finds in the stack's file alone. */
async function placesByFile(yaml: string): Promise<string[]> {
  const { directory } = folder;
  await writeFile(join(directory, "Pulumi.test.yaml"), yaml);
  const file = { kind: "stack", path: join(directory, "Pulumi.test.yaml"), project: projectOf(directory) } as const;
  const { problems } = await findProblems(testShell().shell, [file], { isOnline: false, warn: () => {} });
  return problems.map(({ file, line, column }) => `${file.slice(file.lastIndexOf("/") + 1)}:${line}:${column}`);
}

/** The places of the problems that the program finds, which has the engine's values. */
async function placesByProgram(yaml: string, effective = yaml): Promise<string[]> {
  const [, ...lines] = await errorLines(folder.read(yaml, { decrypted, effective }));
  return lines.map((line) => /^[^:]+:\d+:\d+/.exec(line)?.[0] ?? line);
}

describe("validate shows where the mistake is", () => {
  test.each(brokenStacks)("$mistake", async ({ yaml, files = {}, where }) => {
    for (const [name, text] of Object.entries(files)) await folder.put(name, text);
    const places = await placesByFile(yaml);
    expect(places).toContain(where);
  });
});

describe("validate and the program find the same places", () => {
  const inProgram = brokenStacks.filter(({ isBeforeProgram }) => !isBeforeProgram);
  test.each(inProgram)("$mistake", async ({ yaml, effective, files = {} }) => {
    for (const [name, text] of Object.entries(files)) await folder.put(name, text);
    const places = await placesByProgram(yaml, effective);
    expect(places).not.toEqual([]);
    expect(new Set(await placesByFile(yaml))).toEqual(new Set(places));
  });
});

describe("a file that cannot be used", () => {
  const config = "config:\n  integration-platform:tenants: {}\n";
  const texts = { "integration-platform:tenants": "{}" };
  test.each([
    ["of several documents", `${config}---\n`, "Pulumi.test.yaml:3:1: "],
    ["of invalid YAML", "config: [\n", "Pulumi.test.yaml:2:1: invalid YAML"],
    ["in UTF-16", Buffer.from(`\uFEFF${config}`, "utf16le"), "Pulumi.test.yaml:1:1: is UTF-16"],
    ["with bytes", `${config}  shop:x: !!binary aGVsbG8=\n`, "Pulumi.test.yaml:3:20: is a value that JSON"],
  ])("%s is refused by all with the same text", async (_, content, message) => {
    const path = join(folder.directory, "Pulumi.test.yaml");
    await writeFile(path, content);
    const before = fileProblems(path);
    expect(before).toEqual([expect.stringContaining(message)]);
    expect((await errorLines(folder.readConfig(texts))).slice(1)).toEqual(before);
    const file = { kind: "stack", path, project: projectOf(folder.directory) } as const;
    const { problems } = await findProblems(testShell().shell, [file], { isOnline: false, warn: () => {} });
    expect(problems.map(({ line, column, message }) => `Pulumi.test.yaml:${line}:${column}: ${message}`)).toEqual(
      before,
    );
  });
});

test("the program shows the first 50 of very many problems, and validate all", async () => {
  const tenants = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [`t${index}`, { integration: "crm", shedule: "none" }]),
  );
  const yaml = `config:\n  integration-platform:tenants:\n${Object.entries(tenants)
    .map(([key, tenant]) => `    ${key}: ${JSON.stringify(tenant)}\n`)
    .join("")}`;
  const lines = await errorLines(folder.read(yaml));
  expect(lines[0]).toBe("the stack's config has 3,000 problems; nothing has been changed:");
  expect(lines.slice(1, -1)).toEqual(
    Array.from({ length: 50 }, (_, index) => expect.stringContaining(`Pulumi.test.yaml:${index + 3}:`)),
  );
  expect(lines.at(-1)).toBe("and 2,950 more: `integration-platform validate` lists all");
  expect(await placesByFile(yaml)).toHaveLength(3000);
});

describe("the project's own namespace, however similar it is to ours", () => {
  const yaml = "config:\n  integration-platform-2:team: billing\n";
  test("is no mistake", async () => {
    await folder.put("Pulumi.yaml", "name: integration-platform-2\nruntime: nodejs\n");
    expect(await placesByFile(yaml)).toEqual([]);
    expect(fileProblems(join(folder.directory, "Pulumi.test.yaml"))).toEqual([]);
    expect((await folder.read(yaml)).tenants).toEqual([]);
  });

  test("is one in another project", async () => {
    await folder.put("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
    expect(await placesByFile(yaml)).toEqual(["Pulumi.test.yaml:2:3"]);
    expect(await placesByProgram(yaml)).toEqual(["Pulumi.test.yaml:2:3"]);
  });
});

test("a number in Pulumi.yaml that JavaScript cannot hold has its place there", async () => {
  const tenants = "{ acme: { integration: crm, configs: { account: 9007199254740993 } } }";
  const value = `  integration-platform:tenants: { value: ${tenants} }\n`;
  await folder.put("Pulumi.yaml", `name: shop\nruntime: nodejs\nconfig:\n${value}`);
  const place = `Pulumi.yaml:4:${value.indexOf("9007") + 1}`;
  expect(await placesByFile("encryptionsalt: v1\n")).toEqual([place]);
  const effective = `config: { "integration-platform:tenants": ${tenants} }\n`;
  expect(await placesByProgram("encryptionsalt: v1\n", effective)).toEqual([place]);
});

test("a plaintext token in Pulumi.yaml is one too", async () => {
  const receiver = `{ tokens: [${"a1".repeat(32)}] }`;
  const value = `  integration-platform:webhookReceiver: { value: ${receiver} }\n`;
  await folder.put("Pulumi.yaml", `name: shop\nruntime: nodejs\nconfig:\n${value}`);
  const place = `Pulumi.yaml:4:${value.indexOf("a1a1") + 1}`;
  const address = "  integration-platform:baseUrl: https://platform.example.com\n";
  const yaml = `config:\n${address}`;
  expect(await placesByFile(yaml)).toEqual([place]);
  const effective = `${yaml}  integration-platform:webhookReceiver: ${receiver}\n`;
  expect(await placesByProgram(yaml, effective)).toEqual([place]);
});

describe("a byte order mark", () => {
  test("does not count as a column", async () => {
    expect(await placesByFile("\uFEFFconfg: {}\n")).toEqual(["Pulumi.test.yaml:1:1"]);
  });
});

describe("validate says nothing about encrypted values", () => {
  const secret = `{ secure: "${cipher}" }`;
  test.each([
    [
      "of configs, metadata and a payload",
      `acme: { configs: { a: ${secret}, b: [${secret}] }, metadata: { c: ${secret} }, sync: { mode: init, payload: { d: ${secret} }, when: ${secret} } }`,
    ],
    [
      "that say which tenant and release it is",
      `acme: { release: { tag: ${secret} } }\n    Beta: { name: ${secret} }\n    gamma: { integration: ${secret} }`,
    ],
    [
      "in place of settings",
      `acme: { configs: ${secret}, paused: ${secret}, schedule: ${secret}, aliases: [${secret}] }`,
    ],
    ["in place of a tenant", `acme: ${secret}`],
  ])("%s", async (_, tenants) => {
    const yaml = `config:\n  integration-platform:apiKey: ${secret}\n  integration-platform:tenantDefaults: { integration: crm }\n  integration-platform:tenants:\n    ${tenants}\n`;
    expect(await placesByFile(yaml)).toEqual([]);
  });

  test("and still finds what is wrong beside them", async () => {
    const yaml = `config:\n  integration-platform:tenants:\n    acme: { integration: crm, configs: ${secret}, schedule: often }\n`;
    expect(await placesByFile(yaml)).toEqual([expect.stringMatching(/^Pulumi\.test\.yaml:3:\d+$/)]);
  });
});
