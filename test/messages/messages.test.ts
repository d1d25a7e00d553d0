import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { fileProblems } from "../../engine/stack-file-problems.ts";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { preflight } from "../../src/stack/program/index.ts";
import { errorLines, type StackFolder, stackFolder } from "../stack/stack-folder.ts";

// The YAML files of this folder are the table of mistakes in a stack's files, each with the messages that a user gets.
// test/engine/stack-file-problems.test.ts and bad-input.test.ts judge the same in a terminal.

const mistakesSchema = z.array(
  z.strictObject({
    mistake: z.string(),
    /** Pulumi.test.yaml. */
    file: z.string(),
    /** Other files of the project, by path. */
    files: z.record(z.string(), z.string()).default({}),
    /** Environment variables. By default, they lead to the platform and have its key. */
    environment: z.record(z.string(), z.string()).default({}),
    /** All of the messages, in their order. `{platform}` is the address of the platform. */
    says: z.array(z.string()).min(1),
  }),
);

type Mistake = z.infer<typeof mistakesSchema>[number];

const folders: StackFolder[] = [];
let emulator: Emulator;

beforeAll(async () => {
  emulator = await createEmulator();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) await folder[Symbol.asyncDispose]();
});
afterAll(() => emulator.close());

for (const path of tables()) {
  const mistakes = mistakesSchema.parse(parse(readFileSync(path, "utf8")));
  describe(`a stack's file: ${basename(path, ".yaml")}`, () => {
    test.each(mistakes)("$mistake: each message says where, why, and what to do", async (mistake) => {
      expect(await messagesOf(mistake)).toEqual(mistake.says);
      expect(emulator.requests().every(({ method }) => method === "GET")).toBe(true);
    });
  });
}

function tables(): string[] {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".yaml"));
  return names.sort().map((name) => join(import.meta.dirname, name));
}

/** The messages of `npm run pulumi -- up`: of the check before the engine starts, otherwise of the program. */
async function messagesOf({ file, files, environment }: Mistake): Promise<string[]> {
  const folder = await stackFolder();
  folders.push(folder);
  for (const [path, text] of Object.entries({ ...files, "Pulumi.test.yaml": file })) await folder.put(path, text);
  vi.stubEnv("INTEGRATION_PLATFORM_BASE_URL", emulator.url);
  vi.stubEnv("INTEGRATION_PLATFORM_API_KEY", emulator.apiKey);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value.replace("{platform}", emulator.url));
  const unreadable = fileProblems(join(folder.directory, "Pulumi.test.yaml"));
  if (unreadable.length > 0) return unreadable;
  const lines = await errorLines(folder.read(file).then(preflight));
  return lines
    .filter((line) => !/^the stack's config has .* nothing has been changed:$/.test(line))
    .map((line) => line.replaceAll(emulator.url, "{platform}").replace("EAI_AGAIN", "ENOTFOUND")); // without a network
}
