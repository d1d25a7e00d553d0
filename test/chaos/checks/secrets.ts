import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, zstdDecompressSync } from "node:zlib";

/** The forms that a secret could take in a file: plain, in JSON, in JSON in JSON, for a URL, in base64 with any beginning. */
export function formsOf(secret: string): string[] {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from("-".repeat(offset) + secret).toString("base64");
    // without the signs in which its first and last bytes share with what stands beside it
    return encoded.replace(/=+$/, "").slice([0, 2, 3][offset], -1);
  });
  return [...new Set([secret, inJson(secret), inJson(inJson(secret)), encodeURIComponent(secret), ...inBase64])];
}

/**
 * Looks for secrets in all files below a folder, in compressed ones as well. Links are not followed. Files that are removed
 * during the search are left out, as processes of a killed engine may still be ending.
 *
 * @param without folders that are passed over.
 * @returns a line for each file that holds one, which does not tell it.
 */
export async function filesWithSecrets(
  folder: string,
  secrets: ReadonlyMap<string, string>,
  without: ReadonlySet<string>,
): Promise<{ found: string[]; searchedFiles: number }> {
  const found: string[] = [];
  let searchedFiles = 0;
  for (const path of await filesBelow(folder, without)) {
    const bytes = await unlessGone(readFile(path));
    if (bytes === undefined) continue;
    searchedFiles += 1;
    const text = expand(bytes).toString("latin1");
    found.push(...namesIn(text, secrets).map((name) => `${name} in ${path}`));
  }
  return { found, searchedFiles };
}

/** The names of the secrets that a text holds. */
export function namesIn(text: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].filter(([, secret]) => formsOf(secret).some((form) => text.includes(form))).map(([name]) => name);
}

async function filesBelow(folder: string, without: ReadonlySet<string>): Promise<string[]> {
  const paths: string[] = [];
  for (const name of (await unlessGone(readdir(folder))) ?? []) {
    const path = join(folder, name);
    const entry = await unlessGone(lstat(path));
    if (entry?.isDirectory() && !without.has(path)) paths.push(...(await filesBelow(path, without)));
    if (entry?.isFile()) paths.push(path);
  }
  return paths;
}

/** What is read of a path, or undefined if nothing is there any more. */
async function unlessGone<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (Object(error).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A state is compressed on a file backend, see `engineEnvironment`. */
function expand(bytes: Buffer): Buffer {
  const magic = bytes.subarray(0, 4).toString("hex");
  try {
    if (magic === "28b52ffd") return zstdDecompressSync(bytes);
    if (magic.startsWith("1f8b")) return gunzipSync(bytes);
  } catch {
    // cut short, as a killed engine leaves it
  }
  return bytes;
}
