import * as pulumi from "@pulumi/pulumi";
import { vi } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { type Stage, stage } from "../resources/stage.ts";

/** The lookups of a program and the platform that they read. */
export interface Program extends Stage {
  lookups: typeof import("../../src/lookups/index.ts");
}

/** Starts a program whose lookups share no state with earlier programs. Settings come from the config by default. */
export async function startProgram(options: EmulatorOptions = {}, config: object = {}): Promise<Program> {
  const on = await stage(options);
  await pulumi.runtime.setMocks(
    { call: ({ inputs }) => inputs, newResource: ({ name, inputs }) => ({ id: name, state: inputs }) },
    "project",
    "test",
  );
  pulumi.runtime.setAllConfig({
    "integration-platform:baseUrl": on.emulator.url,
    "integration-platform:apiKey": on.emulator.apiKey,
    ...config,
  });
  vi.resetModules();
  return { ...on, lookups: await import("../../src/lookups/index.ts") };
}

/** The value of an output, and whether it is a secret. */
export async function readOutput<T>(output: pulumi.Output<T>): Promise<{ value: T; isSecret: boolean }> {
  const value = await new Promise<T>((resolve) => {
    output.apply((known) => resolve(Object(known)));
  });
  return { value, isSecret: await pulumi.isSecret(output) };
}
