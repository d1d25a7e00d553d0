import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { findProblems } from "../../src/cli/validate/find-problems.ts";
import { projectOf } from "../../src/stack/yaml/project.ts";
import { testShell } from "../cli/test-shell.ts";
import { engineKeys, engineScalars } from "./engine-scalars.ts";
import { errorLines, type StackFolder, stackFolder } from "./stack-folder.ts";

let folder: StackFolder;

beforeEach(async () => {
  folder = await stackFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const yaml = (value: string) => `config:
  integration-platform:tenants:
    acme:
      integration: crm
      configs:
        region: eu
        value: ${value}
`;
const problem =
  /^Pulumi\.test\.yaml:7:\d+: tenants\.acme\.configs\.value: is (another value to Pulumi|a number with leading zeros).*in quotes/;
const leadingZeros = /^(!!int )?[-+]?0\d+$/;

async function problemsByFile(text: string): Promise<string[]> {
  const { directory } = folder;
  await writeFile(join(directory, "Pulumi.test.yaml"), text);
  const file = { kind: "stack", path: join(directory, "Pulumi.test.yaml"), project: projectOf(directory) } as const;
  const { problems } = await findProblems(testShell().shell, [file], { isOnline: false, warn: () => {} });
  return problems.map(({ line, column, path, message }) => `Pulumi.test.yaml:${line}:${column}: ${path}: ${message}`);
}

async function problemsByProgram(text: string, effective: string): Promise<string[]> {
  const [, ...lines] = await errorLines(folder.read(text, { effective }));
  return lines;
}

describe("a value is a problem exactly if the engine reads something else than JavaScript, or if both drop its zeros", () => {
  test.each(engineScalars)("%s, which the engine reads as %j", async (written, inEngine) => {
    const isOther = JSON.stringify(parse(`value: ${written}`)) !== JSON.stringify({ value: inEngine });
    const problems = isOther || leadingZeros.test(written) ? [expect.stringMatching(problem)] : [];
    expect(await problemsByFile(yaml(written))).toEqual(problems);
    expect(await problemsByProgram(yaml(written), yaml(JSON.stringify(inEngine)))).toEqual(problems);
  });
});

const yamlOfKey = (key: string) => yaml(`{ ${key}: x }`);
const keyProblem =
  /^Pulumi\.test\.yaml:7:18: tenants\.acme\.configs\.value.*: is another (key than written, because YAML|value to Pulumi).*in quotes/;

describe("a key is a problem exactly if the engine or JavaScript makes another text of it than is written", () => {
  test.each(engineKeys)("%s, of which the engine makes %j", async (written, inEngine) => {
    const text = written.replace(/^!!str /, "").replaceAll('"', "");
    const keys = [inEngine, ...Object.keys(parse(`{ ${written}: x }`))];
    const problems = keys.every((key) => key === text) ? [] : [expect.stringMatching(keyProblem)];
    expect(await problemsByFile(yamlOfKey(written))).toEqual(problems);
    expect(await problemsByProgram(yamlOfKey(written), yamlOfKey(JSON.stringify(inEngine)))).toEqual(problems);
  });
});
