import { inspect } from "node:util";

/** Replaces secrets in a string that somebody else wrote, such as the body of a response. */
export type Redact = (text: string) => string;

/** Creates a function that replaces the API key with `[API key]`: a server or a proxy may echo the request's headers. */
export function createRedact(apiKey: string): Redact {
  const encodings = encodingsOf(apiKey);
  return (text) => encodings.reduce((clean, encoding) => clean.replaceAll(encoding, "[API key]"), text);
}

/** The error itself where it holds no secret, not even in a quoted response; else one with the redacted message only. */
export function redactCause(cause: unknown, redact: Redact): unknown {
  const shown = inspect(cause, { depth: 8 });
  const clean = redact(shown);
  return clean === shown ? cause : new Error(redact(cause instanceof Error ? cause.message : "unknown"));
}

/**
 * The forms in which others may repeat a secret: as it is, with white space collapsed, encoded for JSON, for a URL, for
 * HTML, or in base64. The longest form comes first.
 */
export function encodingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const wellFormed = secret.toWellFormed(); // encodeURIComponent throws on half of a surrogate pair
  const inForm = new URLSearchParams({ "": wellFormed }).toString().slice(1);
  const inUrl = [encodeURIComponent(wellFormed), inForm, encodeURI(wellFormed)];
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  const encodings = [
    secret,
    secret.replace(/\s+/g, " ").trim(),
    json,
    json.replaceAll("/", "\\/"),
    asciiJson(json),
    JSON.stringify(json).slice(1, -1), // JSON in a string of JSON
    ...inUrl.flatMap((encoded) => [encoded, lowerCaseEscapes(encoded)]),
    escapeHtml(secret, "&#39;"),
    escapeHtml(secret, "&#x27;"),
    base64,
    base64.replaceAll("+", "-").replaceAll("/", "_"),
  ];
  return [...new Set(encodings)].filter((encoding) => encoding !== "").sort((one, other) => other.length - one.length);
}

function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function lowerCaseEscapes(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());
}

function escapeHtml(text: string, apostrophe: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": apostrophe };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
