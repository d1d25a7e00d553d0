import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { buildProgram } from "../../engine/go-program.ts";
import { fileProblems } from "../../engine/stack-file-problems.ts";
import { heldByStackFile } from "../../src/cli/export/held-by-stack-file.ts";
import { renderTenantsYaml } from "../../src/cli/export/render-yaml.ts";
import { editOverrides } from "../../src/cli/stack-overrides/override-yaml.ts";
import type { JsonObject } from "../../src/json/json-value.ts";
import { testShell } from "../cli/test-shell.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { oddTexts } from "./stack-file-reader/odd-texts.ts";

// The engine's own code reads what we write into a stack's file, with the versions that engine/cli/go.mod pins.

const resultSchema = z.object({ value: z.string(), error: z.string().optional() });

let folder: string;

beforeAll(() =>
  endAfterTests(async (open) => {
    folder = await mkdtemp(join(tmpdir(), "stack-file-reader-"));
    open.defer(() => rm(folder, { recursive: true }));
    const failure = await buildProgram(
      {
        folder: join(import.meta.dirname, "../../engine/cli"),
        module: "github.com/pulumi/pulumi/sdk/v3",
        program: join(import.meta.dirname, "stack-file-reader/main.go"),
      },
      join(folder, "reader"),
    );
    expect(failure).toBeUndefined();
  }),
);

/** What the engine makes of stacks' files: their tenants, or `undefined` where it fails. */
function readByEngine(files: readonly string[]): unknown[] {
  const input = files.map((file) => JSON.stringify(file)).join("\n");
  const { stdout } = spawnSync(join(folder, "reader"), { input, encoding: "utf8", maxBuffer: 2 ** 28 });
  const results = stdout
    .trim()
    .split("\n")
    .map((line) => resultSchema.parse(JSON.parse(line)));
  return results.map(({ value, error }) => (error === undefined ? JSON.parse(value) : undefined));
}

const seeded = (count: number) => ({ numRuns: count, seed: 20261129 });
const random = fc.sample(
  fc.string({
    unit: fc.constantFrom(..."\n\n\t  ar\r\u0085\u2028\u0001é#:-\ufeff<'\"|1\\/\ufffe{".split(""), "😀"),
    maxLength: 7,
  }),
  seeded(3000),
);
const texts = [...new Set([...oddTexts, ...random])];

const exportOf = (configs: JsonObject) =>
  heldByStackFile({ key: "acme", entry: { integration: "crm", adopt: 1, configs }, leftOut: [], notes: {} });

describe("what export writes", () => {
  test.each([
    ["a value", (text: string) => ({ key: text })],
    ["a value inside others", (text: string) => ({ key: { list: [text, { inner: text }] } })],
    ["a key", (text: string) => ({ [text]: "x" })],
    ["a key of an object", (text: string) => ({ [text]: { a: 1 }, other: [1.5, null, true] })],
    ["a key inside others", (text: string) => ({ key: [{ [text]: 1 }] })],
  ])("is read by the engine as it is, or named as left out: %s", (_, configsOf) => {
    const tenants = texts.filter((text) => text !== "__proto__").map((text) => exportOf(configsOf(text)));
    const read = readByEngine(tenants.map((tenant) => renderTenantsYaml(testShell().shell, [tenant])));
    for (const [index, { entry }] of tenants.entries()) expect(read[index]).toEqual({ acme: entry });
    const named = tenants.filter(({ leftOut }) => leftOut.length > 0);
    for (const { leftOut } of named) expect(leftOut).toMatchObject([{ reason: expect.stringMatching(/stack's file/) }]);
    expect(named.length).toBeGreaterThan(0);
    expect(named.length).toBeLessThan(tenants.length / 3);
  });
});

test("an override that pause writes is read by the engine as it is, or refused", () => {
  const file = "config:\n  integration-platform:tenants: {}\n";
  const written = texts.flatMap((text) => {
    const override = { paused: true, reason: text, tenants: [text, "acme"] } as const;
    try {
      const edited = editOverrides(file, [{ to: { ...override, tenants: [...override.tenants] } }]);
      return [{ override, edited: edited.replace(":tenants:", ":others:").replace(":overrides:", ":tenants:") }];
    } catch {
      return [];
    }
  });
  const read = readByEngine(written.map(({ edited }) => edited));
  for (const [index, { override }] of written.entries()) expect(read[index]).toEqual([override]);
  expect(written.length).toBeGreaterThan(texts.length * 0.7);
});

test("a file has problems exactly if the engine does not read it as it is written", async () => {
  const quoted = texts.map((text) => JSON.stringify(text));
  const raw = [
    "a\u2028b",
    "'a\u0085b'",
    '"a\rb"',
    "a # b\u2028    c: 1",
    '"\u007f"',
    '"\\ud83d\\ude00"',
    '"a\\/b"',
    '"a\\\\/b"',
    "'a\\/b'",
  ];
  const blocks = [
    "|\n\n      a",
    "|\n      \ta\n      b",
    "|\n      a\n\n      b",
    ">\n\n      a",
    "|+\n\n      a\n",
    "|-\n      a",
  ];
  const maps = [
    "\n      <<: {a: 1}",
    '\n      "<<": {a: 1}',
    "\n      <<: {a: 1}\n      <<: {b: 1}",
    '\n      1: a\n      "1": b',
    "\n      ~: a",
  ];
  const values = [...quoted, ...raw, ...blocks, ...maps];
  const files = values.map((value) => `config:\n  integration-platform:tenants:\n    key: ${value}\n`);
  const read = readByEngine(files);
  const path = join(folder, "Pulumi.test.yaml");
  const wrong: string[] = [];
  for (const [index, file] of files.entries()) {
    await writeFile(path, file);
    const problems = fileProblems(path);
    const written = writtenIn(file);
    const isSame = isDeepStrictEqual(read[index], written) || values[index]?.includes("~: a") === true; // a Misread key
    if (problems.length > 0 === isSame) wrong.push(JSON.stringify(values[index]));
    for (const problem of problems) expect(problem).toMatch(/^Pulumi\.test\.yaml:\d+:\d+: \S/);
  }
  expect(wrong).toEqual([]);
});

function writtenIn(file: string): unknown {
  try {
    return parse(file, { merge: true, logLevel: "silent" }).config["integration-platform:tenants"];
  } catch {
    return "invalid YAML";
  }
}
