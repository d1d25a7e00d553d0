import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { readStack, type Stack } from "../../src/stack/index.ts";

/** The folder of a project, whose stack is read as the engine would hand it over. */
export interface StackFolder extends AsyncDisposable {
  /** Puts a file beside the stack's. */
  put(path: string, text: string): Promise<void>;
  /**
   * Reads a stack: secrets decrypted, objects as JSON, all else as text.
   *
   * @param decrypted what the secrets of the file say, by their ciphers.
   * @param effective what the engine says where that is not what the file does.
   */
  read(yaml: string, options?: { decrypted?: Record<string, string>; effective?: string }): Promise<Stack>;
  /** Reads a stack whose config the engine hands over in these texts, whatever the file says. */
  readConfig(texts: Record<string, string>): Promise<Stack>;
}

export async function stackFolder(): Promise<StackFolder> {
  const directory = await mkdtemp(join(tmpdir(), "integration-platform-stack-"));
  await pulumi.runtime.setMocks(
    { call: ({ inputs }) => inputs, newResource: ({ name, inputs }) => ({ id: name, state: inputs }) },
    "project",
    "test",
  );
  const put: StackFolder["put"] = async (path, text) => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  };
  return {
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

function decryptedBy(value: unknown, decrypted: Record<string, string>) {
  const isSecure = typeof value === "object" && value !== null && "secure" in value;
  return isSecure ? decrypted[String(value.secure)] : value;
}

/** What an input resolves to. */
export function resolved<T>(input: pulumi.Input<T>): Promise<pulumi.Unwrap<T>> {
  return new Promise((resolve) => pulumi.output(input).apply(resolve));
}

/** Whether an input is a secret. */
export function isSecret(input: unknown): Promise<boolean> {
  return pulumi.isSecret(pulumi.output(input));
}
