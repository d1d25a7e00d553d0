import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { stringify } from "yaml";
import type { JsonValue } from "../../src/json/json-value.ts";
import { readStack, type Stack } from "../../src/stack/program/index.ts";

/** The folder of a project, whose stack is read as the program reads it. */
export interface StackProject extends AsyncDisposable {
  put(path: string, text: string): Promise<void>;
  /** Returns the refusal, if there is one. Rejects with any error that is no refusal. */
  readOrRefuse(texts: Record<string, string>): Promise<string | undefined>;
}

/** What the keys of the config begin with. */
export const space = "integration-platform:";

export async function openProject(): Promise<StackProject> {
  const directory = await mkdtemp(join(tmpdir(), "integration-platform-fuzz-"));
  await mkdir(join(directory, "folder"));
  await pulumi.runtime.setMocks(
    { call: () => ({}), newResource: ({ name }) => ({ id: name, state: {} }) },
    "p",
    "test",
  );

  return {
    put: (path, text) => writeFile(join(directory, path), text),
    readOrRefuse: async (texts) => {
      pulumi.runtime.setAllConfig(texts);
      try {
        use(readStack(directory));
        return undefined;
      } catch (error) {
        if (!(error instanceof pulumi.RunError)) throw error;
        assert.match(
          error.message,
          /^the stack's config has (a problem|\d+ problems); nothing has been changed:\n {2}\S/,
        );
        return error.message;
      }
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

/** The config as the engine hands it over: objects and lists as JSON. */
export function textsOf(config: JsonValue): Record<string, string> {
  const texts = Object.entries(Object(config)).map(([key, value]) => {
    return [key, typeof value === "string" ? value : JSON.stringify(value)] as const;
  });
  return Object.fromEntries(texts);
}

/** The stack's file with this config. */
export function fileOf(config: JsonValue): string {
  return stringify({ config }, { aliasDuplicateObjects: false });
}

/** What the program reads of a stack. */
function use({ fleets, tenants }: Stack): void {
  for (const { args, entry } of [...tenants, ...fleets.flatMap((fleet) => fleet.tenants)]) {
    assert.ok(args !== undefined);
    // What is not JSON would be another value by the time it is on the platform.
    assert.deepEqual(JSON.parse(JSON.stringify(entry)), withoutMinusZero(withoutUndefined(entry)));
  }
  for (const fleet of fleets) fleet.argsOf({});
}

function withoutUndefined(entry: object): object {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

/** The provider takes -0 for 0. */
function withoutMinusZero(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(withoutMinusZero);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutMinusZero(item)]));
}
