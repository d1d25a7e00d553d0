import { inspect } from "node:util";
import { spellingsOf } from "./spellings.ts";

/** Takes secrets out of a text that the client did not write itself. */
export type Redact = (text: string) => string;

/** Takes the API key out: a server, or something between, may echo the request's headers. */
export function createRedact(apiKey: string): Redact {
  const spellings = spellingsOf(apiKey);
  return (text) => spellings.reduce((clean, spelling) => clean.replaceAll(spelling, "[API key]"), text);
}

/** An error fit to be a `cause`: itself, unless something in it (a quoted answer, say) shows a secret. */
export function redactCause(cause: unknown, redact: Redact): unknown {
  const shown = inspect(cause, { depth: 8 });
  const clean = redact(shown);
  return clean === shown ? cause : new Error(redact(cause instanceof Error ? cause.message : "unknown"));
}
