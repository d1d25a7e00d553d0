import { digest } from "../json/digest.ts";

/** 64 bits of the SHA-256 of a JSON value, in hex. They stand for names in the file that provider processes share. */
export function shortDigest(value: unknown): string {
  return digest(value).slice(0, 16);
}
