import { isUtf8 } from "node:buffer";
import { gunzipSync, gzipSync } from "node:zlib";

/** How a body lies in DynamoDB, whose items hold 400 KB: short text as it is, all else compressed and in parts. */
export type StoredBody = { readonly text: string } | { readonly parts: readonly Uint8Array[] };

const maxTextBytes = 100_000;
const maxPartBytes = 350_000;

export function storeBody(body: Uint8Array): StoredBody {
  if (body.byteLength <= maxTextBytes && isUtf8(body)) return { text: Buffer.from(body).toString("utf8") };
  const compressed = gzipSync(body);
  const count = Math.ceil(compressed.byteLength / maxPartBytes);
  const part = (_: unknown, index: number) => compressed.subarray(index * maxPartBytes, (index + 1) * maxPartBytes);
  return { parts: Array.from({ length: count }, part) };
}

export function restoreBody(stored: StoredBody): Uint8Array {
  return "text" in stored ? Buffer.from(stored.text, "utf8") : gunzipSync(Buffer.concat(stored.parts));
}
