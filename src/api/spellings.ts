/**
 * How a secret may be written where somebody repeats it: as it is, on one line, or encoded for JSON, for a URL, for HTML,
 * or in base64. The longest first.
 */
export function spellingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const text = secret.toWellFormed(); // no URL can hold half a character
  const inForm = new URLSearchParams({ "": text }).toString().slice(1);
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  const spellings = [
    secret,
    secret.replace(/\s+/g, " ").trim(),
    json,
    json.replaceAll("/", "\\/"),
    asciiJson(json),
    JSON.stringify(json).slice(1, -1), // JSON in a string of JSON
    ...[encodeURIComponent(text), inForm, encodeURI(text)].flatMap((encoded) => [encoded, lowerCaseEscapes(encoded)]),
    escapeHtml(secret, "&#39;"),
    escapeHtml(secret, "&#x27;"),
    base64,
    base64.replaceAll("+", "-").replaceAll("/", "_"),
  ];
  return [...new Set(spellings)].filter((spelling) => spelling !== "").sort((one, other) => other.length - one.length);
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
