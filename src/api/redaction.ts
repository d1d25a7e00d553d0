import { inspect } from "node:util";

/** Takes the API key out of a text that the client did not write itself. */
export type Redact = (text: string) => string;

/** A server, or something between, may echo the request's headers: as they are, or escaped for a URL, for JSON or for HTML. */
export function createRedact(apiKey: string): Redact {
  const spellings = [
    apiKey,
    encodeURIComponent(apiKey),
    JSON.stringify(apiKey).slice(1, -1),
    escapeHtml(apiKey),
    Buffer.from(apiKey).toString("base64"),
  ];
  return (text) => spellings.reduce((clean, spelling) => clean.replaceAll(spelling, "[API key]"), text);
}

/** An error fit to be a `cause`: itself, unless something in it (a quoted answer, say) shows the key. */
export function redactCause(cause: unknown, redact: Redact): unknown {
  const shown = inspect(cause, { depth: 8 });
  const clean = redact(shown);
  return clean === shown ? cause : new Error(redact(cause instanceof Error ? cause.message : "unknown"));
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
