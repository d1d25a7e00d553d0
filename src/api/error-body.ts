import * as z from "zod";
import { isJsonObject, type JsonValue } from "../json/json-value.ts";
import { formatPath, type KeyPath } from "../json/key-path.ts";
import { withoutControlCharacters } from "../json/one-line.ts";
import { parseJson } from "../json/parse-json.ts";
import { shortList } from "../json/short-list.ts";
import type { ErrorDetail } from "./errors.ts";
import type { HttpResponse } from "./exchange.ts";
import { type Redact, redactStrings } from "./redaction.ts";
import { anyJsonValue, wireList } from "./wire-schema.ts";

/** The parsed body of an error response, without the API key and registered secrets. */
export interface ErrorBody {
  /** The platform's message: one line of at most 300 characters, empty where there is none. */
  message: string;
  /** From `HTTPValidationError`. An `ErrorMessage` or a `detail` that is a string gives one detail without a path. */
  details: readonly ErrorDetail[];
  /** Whether it has one of the API's own error shapes (specification, "Error shapes"). */
  isApiShape: boolean;
  isHtml: boolean;
  /** The `detail` of the body, where it is a string: the string, or the JSON value that it holds. */
  detail: JsonValue | undefined;
}

/** `ErrorMessage` of the specification. */
export const errorMessageSchema = z.looseObject({ message: z.string() });

/** `HTTPValidationError` of the specification. */
export const httpValidationErrorSchema = z.looseObject({
  detail: wireList(
    z.looseObject({ loc: wireList(z.union([z.string(), z.number()])), msg: z.string(), type: z.string().optional() }),
  ),
});

/**
 * Parses the body of an error response, whatever it holds; never throws. Of a 422, which may repeat the whole request, it gives only
 * the details.
 */
export function parseErrorBody({ status, header, body }: HttpResponse, redact: Redact): ErrorBody {
  const parsed = parseText(body.toString("utf8"), header("content-type"), redact);
  return status === 422 && parsed.details.length === 0 ? { ...parsed, message: "" } : parsed;
}

function parseText(text: string, contentType: string | undefined, redact: Redact): ErrorBody {
  if (isHtml(text, contentType)) {
    return { ...emptyBody, message: describeHtml(redact(text)), isHtml: true };
  }
  const parsed = parseJson(text);
  if (!parsed.isJson) {
    return { ...emptyBody, message: shorten(firstLineOf(redact(text))) };
  }
  // Redacted before lines are joined and cut, and string by string, as the JSON text may spell a secret with escapes.
  const value = redactStrings(parsed.value, redact);
  const known = parseKnownShape(value, redact) ?? { ...emptyBody, message: redact(JSON.stringify(value)) };
  return { ...known, message: shorten(known.message) };
}

/** The message in place of the platform's own, where that may repeat a secret that is too short to be redacted. */
export const withheldMessage =
  "the platform's message is withheld because it may repeat a short secret from the request";

/** The body with the platform's messages withheld. It still names the fields of the request that the platform named. */
export function withholdMessages(body: ErrorBody, requestBody: unknown): ErrorBody {
  const sentPaths = new Set(pathsIn(requestBody, []).map(formatPath));
  const named = [...new Set(body.details.map(({ path }) => path))].filter((path) => sentPaths.has(path));
  const details = named.map((path) => ({ path, message: withheldMessage }));
  const message = named.length === 0 ? withheldMessage : `${shortList(named)}: ${withheldMessage}`;
  return { ...body, message, details, detail: undefined };
}

export function isHtml(text: string, contentType: string | undefined): boolean {
  return /^text\/html|^application\/xhtml/i.test(contentType ?? "") || /^\s*<(!doctype html|html)\b/i.test(text);
}

/** `an HTML page titled "Sign in"`. */
export function describeHtml(text: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(text.slice(0, 65_536))?.[1];
  return title === undefined ? "an HTML page" : `an HTML page titled "${shorten(title)}"`;
}

const emptyBody: ErrorBody = { message: "", details: [], isApiShape: false, isHtml: false, detail: undefined };
const maxMessageLength = 300;

function parseKnownShape(value: unknown, redact: Redact): ErrorBody | undefined {
  const validation = httpValidationErrorSchema.safeParse(value);
  if (validation.success) {
    const details = validation.data.detail.map(({ loc, msg }) => ({
      path: withoutControlCharacters(pathFrom(loc)),
      message: withoutControlCharacters(msg),
    }));
    return {
      ...emptyBody,
      isApiShape: true,
      details,
      message: shortList(details.map(formatDetail), { separator: "; " }),
    };
  }
  const message = errorMessageSchema.safeParse(value);
  if (message.success) {
    return { ...withMessage(message.data.message), isApiShape: true };
  }
  if (isJsonObject(value) && typeof value.detail === "string") {
    return { ...withMessage(value.detail), detail: parseDetail(value.detail, redact) };
  }
  return undefined;
}

/** Redacted once more: the JSON text may spell a secret with escapes. */
function parseDetail(text: string, redact: Redact): JsonValue {
  const parsed = parseJson(text);
  return parsed.isJson ? (anyJsonValue.safeParse(redactStrings(parsed.value, redact)).data ?? text) : text;
}

function withMessage(text: string): ErrorBody {
  const message = withoutControlCharacters(text);
  return { ...emptyBody, message, details: [{ path: "", message }] };
}

function pathsIn(value: unknown, path: KeyPath): KeyPath[] {
  if (typeof value !== "object" || value === null) return [path];
  const keys = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  return [...(path.length === 0 ? [] : [path]), ...keys.flatMap(([key, item]) => pathsIn(item, [...path, key]))];
}

function formatDetail({ path, message }: ErrorDetail): string {
  return path === "" ? message : `${path}: ${message}`;
}

/** A leading `body` is dropped: it says only that the field was sent in the body. */
function pathFrom(loc: readonly (string | number)[]): string {
  return formatPath(loc[0] === "body" ? loc.slice(1) : loc);
}

function firstLineOf(text: string): string {
  return text.trimStart().split(/\r?\n/, 1)[0] ?? "";
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line.slice(0, 2 * maxMessageLength + 2)]; // whole ones: half a surrogate pair is no valid text
  return characters.length <= maxMessageLength ? line : `${characters.slice(0, maxMessageLength).join("")}...`;
}
