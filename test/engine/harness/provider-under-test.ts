import type { TestContext } from "vitest";
import { isMap, parseDocument } from "yaml";
import { z } from "zod";

/** The providers that can host the resources: Node.js's dynamic one, and the plugin of this package. */
export const providerNames = ["dynamic", "native"] as const;
export type ProviderName = (typeof providerNames)[number];

/** Sets {@link providerUnderTest} of a process. */
export const providerVariable = "PROVIDER_UNDER_TEST";

/** The provider that hosts the resources of this process's stories. vitest.config.ts runs the same stories on each. */
export const providerUnderTest: ProviderName = z
  .enum(providerNames)
  .default("dynamic")
  .parse(process.env[providerVariable]);

/** The type of a resource in URNs, in states and on the terminal: `tokenOf("Tenant")`. */
export function tokenOf(resource: string, provider = providerUnderTest): string {
  const prefix = provider === "native" ? "integration-platform:index" : "pulumi-nodejs:dynamic/integration-platform";
  return `${prefix}:${resource}`;
}

/** A program with its import of this package changed to that of the provider, which is all that a user changes. */
export function programOn(provider: ProviderName, program: string): string {
  if (provider === "dynamic") return program;
  return program
    .replaceAll('from "pulumi-integration-platform"', 'from "pulumi-integration-platform/native"')
    .replaceAll('from "./src/index.ts"', 'from "./src/native/index.ts"');
}

/** This package in the test's own process, as a program on the provider under test imports it. */
export function importPackage() {
  return providerUnderTest === "native" ? import("../../../src/native/index.ts") : import("../../../src/index.ts");
}

const setting = "integration-platform:provider";

/**
 * The text of a stack's file with the provider in its config. All else stays at its line, as messages name lines. A file
 * that names a provider or is invalid stays as it is.
 */
export function stackYamlOn(provider: ProviderName, text: string): string {
  if (provider === "dynamic") return text;
  const { contents, errors } = parseDocument(text);
  const pair = isMap(contents) ? contents.items.find(({ key }) => String(key) === "config") : undefined;
  if (errors.length > 0 || (isMap(pair?.value) && pair.value.has(setting))) return text;
  const entry = `${setting}: ${provider}`;
  if (pair === undefined) return `${text.trimEnd()}\nconfig:\n  ${entry}\n`;
  if (!isMap(pair.value) || !pair.value.range) throw new Error(`a story's config is not a map: ${text}`);
  const [start, end] = pair.value.range;
  if (pair.value.flow) {
    const separator = pair.value.items.length === 0 ? " " : ", ";
    return `${text.slice(0, start + 1)} ${entry}${separator}${text.slice(start + 1)}`;
  }
  const head = text.slice(0, end);
  const indent = " ".repeat(start - (text.lastIndexOf("\n", start) + 1));
  return `${head}${head.endsWith("\n") ? "" : "\n"}${indent}${entry}\n${text.slice(end)}`;
}

/**
 * Whether the engine refreshes all resources even with `--refresh=false`: the native provider asks it to, by
 * `refreshBeforeUpdate`, as its users then need no `options.refresh`.
 */
export const isAlwaysRefreshed = providerUnderTest === "native";

/** Skips a test on the other provider. The reporter counts it, and prints the reason. */
export function holdsOnlyOn(provider: ProviderName, { skip }: Pick<TestContext, "skip">, reason: string): void {
  skip(provider !== providerUnderTest, `only on the ${provider} provider: ${reason}`);
}
