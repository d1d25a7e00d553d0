import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { decodeUtf8 } from "../../json/utf8.ts";
import type { Resolver } from "../secret-values.ts";

const bytesMaximum = 64 * 1024;

/**
 * `file:path`: the text of a file, without one line end at its end. A version is only a marker.
 *
 * @param directory what relative paths are relative to.
 */
export function fileResolver(directory: string): Resolver {
  return async (path) => {
    const bytes = await readStart(resolve(directory, path)).catch((error: unknown) => {
      throw new Error(reasonOf(error, path), { cause: error });
    });
    if (bytes.length > bytesMaximum) throw new Error(`the file ${path} is larger than ${bytesMaximum / 1024} KiB`);
    const decoded = decodeUtf8(bytes);
    if ("problem" in decoded) throw new Error(`the file ${path} ${decoded.problem}`);
    return decoded.text.replace(/^\uFEFF|\r?\n$/g, "");
  };
}

/** The bytes of a file, at most one more than allowed. It reads pipes too, such as those of `<(...)` in a shell. */
async function readStart(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const parts: Buffer[] = [];
    for await (const part of file.createReadStream({ end: bytesMaximum, autoClose: false })) {
      parts.push(Buffer.from(part));
    }
    return Buffer.concat(parts);
  } finally {
    await file.close();
  }
}

function reasonOf(error: unknown, path: string): string {
  const code = Object(error).code;
  if (code === "ENOENT") return `there is no file ${path}; paths are relative to the folder of Pulumi.yaml`;
  return `the file ${path} cannot be read (${String(code ?? "unknown error")})`;
}
