import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { oneLine } from "../../json/one-line.ts";
import type { Resolver } from "../secret-values.ts";

/**
 * Loads a resolver of the user: a module that exports `resolve(rest, { version, signal })`.
 *
 * @param directory what a relative path is relative to.
 */
export async function moduleResolver(directory: string, path: string): Promise<Resolver> {
  const file = resolve(directory, path);
  const module: unknown = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new Error(`the resolver ${path} cannot be loaded: ${firstLine(error)}`, { cause: error });
  });
  const exported: unknown = Object(module).resolve ?? Object(Object(module).default).resolve;
  if (typeof exported !== "function") throw new Error(`the resolver ${path} does not export a function resolve`);
  return async (rest, options) => {
    try {
      return await exported(rest, options);
    } catch (error) {
      throw new Error(firstLine(error), { cause: error });
    }
  };
}

function firstLine(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : "it has thrown no error").split("\n");
  return oneLine(line);
}
