import { z } from "zod";
import type { ErrorDetail } from "./errors.ts";
import { inLine } from "./in-line.ts";
import { isJsonObject, parseJson } from "./json.ts";
import type { Redact } from "./redaction.ts";
import { formatPath, wireList } from "./wire-schema.ts";

/** What could be made of the body of an error, free of the API key. */
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
  const text = redact(body.toString("utf8"));
  if (isHtml(text, contentType)) {
    return { ...nothing, words: describeHtml(text), isHtml: true };
  }
  const parsed = parseJson(text);
  if (!parsed.isJson) {
    return { ...nothing, words: shorten(firstLineOf(text)) };
  }
  const known = readKnownShape(parsed.value);
  // Once more: JSON may have spelt the key in escapes.
  return known === undefined ? { ...nothing, words: shorten(text) } : redactAll(known, redact);
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

function redactAll(body: ErrorBody, redact: Redact): ErrorBody {
  return {
    ...body,
    words: shorten(redact(body.words)),
    details: body.details.map(({ path, message }) => ({ path: redact(path), message: redact(message) })),
    detailText: body.detailText === undefined ? undefined : redact(body.detailText),
  };
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
