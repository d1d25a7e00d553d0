import { isDeeperThan, maxDepth } from "../../json/depth.ts";
import { isJsonObject, type JsonObject, parseExactJson, roundedNumbers } from "../rules/json.ts";
import { InvalidRequest, invalid } from "../rules/problems.ts";

/** The longest body that the emulator accepts, in bytes. The specification names no limit. */
export const maxBodyBytes = 1024 * 1024;

/**
 * Reads the body of a request as a string; undefined when it is longer than `maxBodyBytes`. A body that is too long is
 * read to its end as well, because the client may not see a response that comes before it has sent everything.
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
 * Parses a body that must be a JSON object. In its `configs` and `metadata` each number stays as it was written.
 *
 * @throws InvalidRequest when the body is something else.
 */
export function parseJsonObject(text: string): JsonObject {
  const fields = parseFreeFormObject(text);
  const { configs, metadata } = fields;
  return {
    ...roundedNumbers(fields),
    ...(isJsonObject(configs) ? { configs } : {}),
    ...(isJsonObject(metadata) ? { metadata } : {}),
  };
}

/**
 * Parses a body that must be a JSON object. Each number stays as it was written.
 *
 * @throws InvalidRequest when the body is something else.
 */
export function parseFreeFormObject(text: string): JsonObject {
  if (text === "") throw new InvalidRequest([{ loc: ["body"], msg: "Field required", type: "missing" }]);
  const value = parseJson(text);
  if (!isJsonObject(value)) {
    throw new InvalidRequest([{ loc: ["body"], msg: "Input should be an object", type: "dict_type" }]);
  }
  if (isDeeperThan(value, maxDepth)) throw invalid(["body"], `must not be nested more than ${maxDepth} levels deep`);
  return value;
}

/**
 * Parses a body that must be a JSON object, null or empty. Null and empty give null.
 *
 * @throws InvalidRequest when the body is something else.
 */
export function parseOptionalJsonObject(text: string): JsonObject | null {
  return text === "" || text.trim() === "null" ? null : parseJsonObject(text);
}

/**
 * A body as a JSON value with its numbers as they were written. As a string when it is not JSON, or is nested too deep for the
 * functions that use it.
 */
export function readableBody(text: string): unknown {
  try {
    const value: unknown = parseExactJson(text);
    return isDeeperThan(value, maxDepth) ? text : value;
  } catch {
    return text;
  }
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    const ctx = { error: error instanceof SyntaxError ? "not valid JSON" : "cannot be read" };
    throw new InvalidRequest([{ loc: ["body", 0], msg: "JSON decode error", type: "json_invalid", ctx }]);
  }
}
