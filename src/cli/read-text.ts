import { readFile } from "node:fs/promises";
import { decodeUtf8 } from "../json/utf8.ts";

/**
 * Reads a file of text.
 *
 * @throws Error if it cannot be read, or is not UTF-8.
 */
export async function readText(path: string): Promise<string> {
  const decoded = decodeUtf8(await readFile(path));
  if ("problem" in decoded) throw new Error(`line ${decoded.line} ${decoded.problem}`);
  return decoded.text;
}
