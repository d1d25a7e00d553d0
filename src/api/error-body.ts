import { z } from "zod";
import type { ErrorDetail } from "./errors.ts";
import { inLine } from "./in-line.ts";
import { isJsonObject, parseJson } from "./json.ts";
import type { Redact } from "./redaction.ts";
import { formatPath, wireList } from "./wire-schema.ts";

/** What could be made of the body of an error, free of the API key and of known secrets. */
export interface ErrorBody {
  /** The server's own words, one line of at most 300 characters; empty when it said nothing. */
  words: string;
  /** From `HTTPValidationError`; one without a path from `ErrorMessage` or a `detail` that is a string. */
  details: readonly ErrorDetail[];
  /** Whether it is one of the API's own error shapes (specification, "Error shapes"). */
  isApiShape: boolean;
  isHtml: boolean;
  /** The `detail` of the body, where it is a string. */
  detailText: string | undefined;
}

/** `ErrorMessage` of the specification. */
export const errorMessageSchema = z.looseObject({ message: z.string() });

/** `HTTPValidationError` of the specification. */
export const httpValidationErrorSchema = z.looseObject({
  detail: wireList(
    z.looseObject({ loc: wireList(z.union([z.string(), z.number()])), msg: z.string(), type: z.string().optional() }),
  ),
});

/** Reads the body of an error, whatever it is; never throws. */
export function readErrorBody(body: Buffer, contentType: string | undefined, redact: Redact): ErrorBody {
  const text = body.toString("utf8");
  if (isHtml(text, contentType)) {
    return { ...nothing, words: describeHtml(redact(text)), isHtml: true };
  }
  const parsed = parseJson(text);
  if (!parsed.isJson) {
    return { ...nothing, words: shorten(firstLineOf(redact(text))) };
  }
  // Of the strings, not of the JSON: it may have spelt a secret in escapes. And before they are put on one line, or cut.
  const value = redactStrings(parsed.value, redact);
  const known = readKnownShape(value) ?? { ...nothing, words: redact(JSON.stringify(value)) };
  return { ...known, words: shorten(known.words) };
}

export function isHtml(text: string, contentType: string | undefined): boolean {
  return /^text\/html|^application\/xhtml/i.test(contentType ?? "") || /^\s*<(!doctype html|html)\b/i.test(text);
}

/** `an HTML page titled "Sign in"`. */
export function describeHtml(text: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(text.slice(0, 65_536))?.[1];
  return title === undefined ? "an HTML page" : `an HTML page titled "${shorten(title)}"`;
}

const nothing: ErrorBody = { words: "", details: [], isApiShape: false, isHtml: false, detailText: undefined };
const maxWordsLength = 300;

function readKnownShape(value: unknown): ErrorBody | undefined {
  const validation = httpValidationErrorSchema.safeParse(value);
  if (validation.success) {
    const details = validation.data.detail.map(({ loc, msg }) => ({
      path: inLine(pathFrom(loc)),
      message: inLine(msg),
    }));
    return { ...nothing, isApiShape: true, details, words: details.map(formatDetail).join("; ") };
  }
  const message = errorMessageSchema.safeParse(value);
  if (message.success) {
    return sayingOnly(inLine(message.data.message), { isApiShape: true });
  }
  if (isJsonObject(value) && typeof value.detail === "string") {
    return sayingOnly(inLine(value.detail), { detailText: value.detail });
  }
  return undefined;
}

function sayingOnly(words: string, facts: Partial<ErrorBody>): ErrorBody {
  return { ...nothing, ...facts, words, details: [{ path: "", message: words }] };
}

function redactStrings(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactStrings(item, redact));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactStrings(item, redact)]));
}

function formatDetail({ path, message }: ErrorDetail): string {
  return path === "" ? message : `${path}: ${message}`;
}

/** A leading `body` only says that it is about what was sent. */
function pathFrom(loc: readonly (string | number)[]): string {
  return formatPath(loc[0] === "body" ? loc.slice(1) : loc);
}

function firstLineOf(text: string): string {
  return text.trimStart().split(/\r?\n/, 1)[0] ?? "";
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxWordsLength ? line : `${line.slice(0, maxWordsLength)}...`;
}
