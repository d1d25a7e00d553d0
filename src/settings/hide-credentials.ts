import { isSecretName } from "./secret-detection.ts";

const label = "[hidden]";

/**
 * A text that somebody else wrote, such as a run's log or a status, with a label in place of each value that looks like a
 * credential: values under names such as `token`, `password` or `Authorization`, in environments, JSON, YAML, headers, flags,
 * connection strings and URLs; `Bearer` tokens; private keys; keys of well-known services. In doubt a value is hidden. The same
 * text gives the same result, and a longer one begins with the result of its complete lines.
 */
export function hideCredentials(text: string): string {
  const steps = [hidePrivateKeys, hideNamedValues, hidePasswordsInUrls, hideTokens, hideFlags, hideBesideNames];
  return steps.reduce((hidden, hide) => hide(hidden), text);
}

/** A JSON value that somebody else wrote, with its credentials hidden: each string, and what stands under the name of a secret. */
export function withoutCredentials(value: unknown): unknown {
  if (typeof value === "string") return hideCredentials(value);
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (typeof value !== "object" || value === null) return value;
  const hidden = (name: string, inner: unknown) => (isSecretName(name) ? label : withoutCredentials(inner));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hidden(name, inner)]));
}

function hidePrivateKeys(text: string): string {
  return text.replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, label);
}

/** A name of at most 80 characters, perhaps in quotes, also escaped ones, and what stands between it and its value. */
const assignment = /(?<![\p{L}\d_.-])([\p{L}_][\p{L}\d_.-]{0,79})(?:\\*["'`])?[ \t]*(=>|:=|=|:)[ \t]*/gu;

function hideNamedValues(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (const match of text.matchAll(assignment)) {
    const [all, name = "", separator = ""] = match;
    const start = match.index + all.length;
    if (match.index < copied || !isCredentialName(name, separator)) continue;
    const isLineStart = /(^|\n)[ \t]*(export[ \t]+)?["'`]?$/.test(
      text.slice(Math.max(0, match.index - 40), match.index),
    );
    const { from, to } = valueAt(text, start, { name, separator, isLineStart });
    if (from >= to || /^(null|none|nil|undefined|true|false)$/i.test(text.slice(from, to))) continue;
    parts.push(text.slice(copied, from), label);
    copied = to;
  }
  return parts.join("") + text.slice(copied);
}

/** Besides secret names: `key=`, and variables of an environment such as `STRIPE_KEY`. */
function isCredentialName(name: string, separator: string): boolean {
  if (isSecretName(name) || /signature$|^sig$/i.test(name)) return true;
  return (/^key$/i.test(name) && separator === "=") || /^[A-Z\d_]+_KEY(_?\d+)?$/.test(name);
}

interface Assignment {
  name: string;
  separator: string;
  isLineStart: boolean;
}

/** Where the value begins and ends that is assigned at a place; without its quotes. */
function valueAt(
  text: string,
  start: number,
  { name, separator, isLineStart }: Assignment,
): { from: number; to: number } {
  const [quote] = matchAt(/\\*["'`]/y, text, start);
  if (quote !== undefined) {
    const from = start + quote.length;
    const end = endOfQuoted(text, from, quote);
    return { from, to: end };
  }
  if (/[{[]/.test(text[start] ?? "")) return { from: start, to: endOfBrackets(text, start) };
  const isHeader = separator === ":" && /^(proxy-)?authorization$|cookie$/i.test(name);
  const isVariable = separator === "=" && (isLineStart || /^[A-Z][A-Z\d_]*$/.test(name));
  if (isVariable) return { from: start, to: start + lengthAt(/(?:(?![ \t]+[A-Za-z_][\w.-]*=)[^\n\r])*/y, text, start) };
  if (isHeader) return { from: start, to: start + lengthAt(/[^\n\r"'`]*/y, text, start) };
  if (isLineStart) return { from: start, to: start + lengthAt(/[^\n\r]*/y, text, start) };
  return { from: start, to: start + lengthAt(/[^\s,;&"'`<>)}\]]*/y, text, start) };
}

function endOfQuoted(text: string, from: number, quote: string): number {
  let at = from;
  for (; at < text.length && !isLineBreak(text[at]); at += 1) {
    if (text.startsWith(quote, at)) return at;
    if (quote.length === 1 && text[at] === "\\" && at + 1 < text.length && !isLineBreak(text[at + 1])) at += 1;
  }
  return at;
}

function isLineBreak(character: string | undefined): boolean {
  return character === "\n" || character === "\r";
}

/** The end of an object or list; that of its line if it does not end within 10,000 characters. */
function endOfBrackets(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < Math.min(text.length, start + 10_000); at += 1) {
    if (/[{[]/.test(text[at] ?? "")) depth += 1;
    if (/[}\]]/.test(text[at] ?? "")) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return start + lengthAt(/[^\n\r]*/y, text, start);
}

function lengthAt(sticky: RegExp, text: string, start: number): number {
  return matchAt(sticky, text, start)[0]?.trimEnd().length ?? 0;
}

function matchAt(sticky: RegExp, text: string, start: number): readonly (string | undefined)[] {
  sticky.lastIndex = start;
  return sticky.exec(text) ?? [];
}

function hidePasswordsInUrls(text: string): string {
  return text.replace(/(?<![a-z\d+.-])([a-z][a-z\d+.-]{0,30}:\/\/[^/\s:@"'`]*:)[^/\s@"'`]+@/gi, `$1${label}@`);
}

/** Tokens by their own form. A word after `Basic` or `Token` is one only with a digit or `=`. */
function hideTokens(text: string): string {
  return text
    .replace(/\b(bearer[ \t]+)[\w.~+/=-]{8,}/gi, `$1${label}`)
    .replace(/\b((?:basic|token|digest)[ \t]+)(?=[\w.~+/-]{0,200}[\d=])[\w.~+/=-]{8,}/gi, `$1${label}`)
    .replace(/(?<![\w-])ey[\w-]{8,4000}\.[\w-]+\.[\w-]*/g, label)
    .replace(
      /\b(gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|[prs]k_(live|test)_|sk-|shpat_|whsec_|npm_)[\w-]{10,}/g,
      label,
    )
    .replace(/\b(AKIA|ASIA)[\dA-Z]{12,}|\bAIza[\w-]{30,}/g, label);
}

function hideFlags(text: string): string {
  return text.replace(/(?<![\w-])(--?([a-z][a-z-]{1,40})[ \t]+)(?!-)[^\s"'`]+/gi, (all, flag: string, name: string) =>
    isSecretName(name) ? `${flag}${label}` : all,
  );
}

/** Long strings with letters and digits right after such a name: `got token 8f14e45fceea167a`. */
function hideBesideNames(text: string): string {
  const pattern = /(?<![\p{L}\d_-])([\p{L}][\p{L}\d_-]{0,79})([ \t]+(?:is[ \t]+)?)([\w+/=~.-]{16,})/gu;
  return text.replace(pattern, (all, name: string, between: string, value: string) => {
    const isRandom = /\d/.test(value) && /[a-z]/i.test(value);
    return isRandom && (isSecretName(name) || /^key$/i.test(name)) ? `${name}${between}${label}` : all;
  });
}
