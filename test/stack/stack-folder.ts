import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { readStack, type Stack } from "../../src/stack/program/index.ts";

/** The folder of a project, and its stack `test` without an engine. */
export interface StackFolder extends AsyncDisposable {
  directory: string;
  /** Writes a file. */
  put(path: string, text: string): Promise<void>;
  /**
   * Reads a stack. The engine's config is made from the YAML, as the engine does it.
   *
   * @param decrypted the secrets of the file by their ciphers.
   * @param effective the YAML of the engine's config, if it differs from the file.
   */
  read(yaml: string, options?: { decrypted?: Record<string, string>; effective?: string }): Promise<Stack>;
  /** Reads a stack whose config is these strings in the engine, whatever the file has. */
  readConfig(texts: Record<string, string>): Promise<Stack>;
}

export async function stackFolder(): Promise<StackFolder> {
  const directory = await mkdtemp(join(tmpdir(), "integration-platform-stack-"));
  await useStack();
  const put: StackFolder["put"] = async (path, text) => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  };
  return {
    directory,
    put,
    read: async (yaml, { decrypted = {}, effective = yaml } = {}) => {
      await put("Pulumi.test.yaml", yaml);
      const reviver = (_: unknown, value: unknown) => decryptedBy(value, decrypted);
      const config: Record<string, unknown> = parse(effective, reviver, { merge: true }).config;
      const texts = Object.entries(config).map(([key, value]) => [
        key,
        typeof value === "string" ? value : JSON.stringify(value),
      ]);
      pulumi.runtime.setAllConfig(Object.fromEntries(texts));
      return readStack(directory);
    },
    readConfig: async (texts) => {
      pulumi.runtime.setAllConfig(texts);
      return readStack(directory);
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

/** Makes the program one of the stack `test`, without an engine. */
export async function useStack(): Promise<void> {
  await pulumi.runtime.setMocks(
    { call: ({ inputs }) => inputs, newResource: ({ name, inputs }) => ({ id: name, state: inputs }) },
    "project",
    "test",
  );
}

function decryptedBy(value: unknown, decrypted: Record<string, string>) {
  const isSecure = typeof value === "object" && value !== null && "secure" in value;
  return isSecure ? decrypted[String(value.secure)] : value;
}

/** The value of an input. */
export function resolved<T>(input: pulumi.Input<T>): Promise<pulumi.Unwrap<T>> {
  return new Promise((resolve) => pulumi.output(input).apply(resolve));
}

/** Whether an input is a secret. */
export function isSecret(input: unknown): Promise<boolean> {
  return pulumi.isSecret(pulumi.output(input));
}

/** The lines of the error that something is rejected with; none if it succeeds. */
export async function errorLines(work: Promise<unknown>): Promise<string[]> {
  const message = await work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return message === undefined ? [] : message.split("\n").map((line) => line.trim());
}
