import { isJsonObject, type JsonObject } from "../entities/json.ts";
import { parseKeepingNumbers, roundedNumbers } from "../rules/kept-numbers.ts";
import { InvalidRequest, invalid } from "./problems.ts";

/** The longest body that is read, in bytes; the specification names no limit. */
export const maxBodyBytes = 1024 * 1024;

/**
 * The text of a request's body; undefined when it is longer than `maxBodyBytes`. It is read to its end all the same: an
 * answer in the middle would be lost with the connection.
 */
export async function readBody(request: Request): Promise<string | undefined> {
  if (request.method === "GET" || request.method === "HEAD" || request.body === null) return "";

  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body) {
    bytes += chunk.byteLength;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  return bytes <= maxBodyBytes ? Buffer.concat(chunks).toString("utf8") : undefined;
}

/**
 * The JSON object that a body holds. In its `configs` and `metadata` numbers are kept as they were written.
 *
 * @throws InvalidRequest when it is none.
 */
export function parseJsonObject(text: string): JsonObject {
  const fields = parseFreeFormObject(text);
  const { configs, metadata } = fields;
  return {
    ...roundedNumbers(fields),
    ...("configs" in fields ? { configs } : {}),
    ...("metadata" in fields ? { metadata } : {}),
  };
}

/**
 * The JSON object that a body holds, with its numbers as they were written.
 *
 * @throws InvalidRequest when it is none.
 */
export function parseFreeFormObject(text: string): JsonObject {
  if (text === "") throw new InvalidRequest([{ loc: ["body"], msg: "Field required", type: "missing" }]);
  const value = parseJson(text);
  if (!isJsonObject(value))
    throw new InvalidRequest([{ loc: ["body"], msg: "Input should be an object", type: "dict_type" }]);
  if (isDeeperThan(maxDepth, value)) throw invalid(["body"], `is nested more than ${maxDepth} levels deep`);
  return value;
}

/**
 * The JSON object of an optional body; null when there is none or it is null.
 *
 * @throws InvalidRequest when it is anything else.
 */
export function parseOptionalJsonObject(text: string): JsonObject | null {
  return text === "" || text.trim() === "null" ? null : parseJsonObject(text);
}

// Neither the database's JSON functions nor JSON.stringify get along with any depth.
const maxDepth = 200;

function parseJson(text: string): unknown {
  try {
    return parseKeepingNumbers(text);
  } catch (error) {
    const ctx = { error: error instanceof SyntaxError ? "not valid JSON" : "cannot be read" };
    throw new InvalidRequest([{ loc: ["body", 0], msg: "JSON decode error", type: "json_invalid", ctx }]);
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}
