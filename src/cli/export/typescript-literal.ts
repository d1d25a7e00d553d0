import { oneLine } from "../../json/one-line.ts";

/** Where a value starts: the columns that are taken before it in its line, and the indentation of that line. */
interface Place {
  column: number;
  indentation: number;
}

/** The width of a line that Prettier and Biome use unless they are configured. */
const lineWidth = 80;

/**
 * A value as TypeScript, formatted as Prettier and Biome do: what fits in its line stays in it, keys have quotes only where
 * they need them. Lines after the first begin with the indentation.
 */
export function typescriptLiteral(value: unknown, place: Place): string {
  const inline = inlineLiteral(value);
  // The last column is for the comma.
  if (!isAlwaysBroken(value) && place.column + inline.length < lineWidth) return inline;
  if (Array.isArray(value) && value.length > 0) return brokenArray(value, place.indentation);
  if (isObject(value) && Object.keys(value).length > 0) return brokenObject(value, [], place.indentation);
  return inline;
}

/** An object with one property in each line, after the spreads of other objects. */
export function brokenObject(value: object, spreads: readonly string[], indentation: number): string {
  const inner = indentation + 2;
  const properties = Object.entries(value).map(([key, part]) => {
    const start = `${typescriptKey(key)}: `;
    return `${start}${typescriptLiteral(part, { column: inner + start.length, indentation: inner })}`;
  });
  return lines("{", [...spreads.map((name) => `...${name}`), ...properties], "}", indentation);
}

/** A key of an object. `__proto__` is computed, because JavaScript would set the prototype. */
export function typescriptKey(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(key) ? key : typescriptString(key);
}

/** A string in the quotes that need fewer escapes. Control characters and line ends of Unicode are escaped. */
export function typescriptString(text: string): string {
  const escaped = oneLine(JSON.stringify(text));
  const count = (quote: string) => text.split(quote).length - 1;
  if (count('"') <= count("'")) return escaped;
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function brokenArray(values: readonly unknown[], indentation: number): string {
  const inner = indentation + 2;
  const items = values.map((item) => typescriptLiteral(item, { column: inner, indentation: inner }));
  return lines("[", values.every((item) => typeof item === "number") ? filled(items, inner) : items, "]", indentation);
}

/** Numbers, as many in a line as fit. */
function filled(items: readonly string[], indentation: number): string[] {
  const rows: string[] = [];
  for (const item of items) {
    const longer = `${rows.at(-1)}, ${item}`;
    if (rows.length > 0 && indentation + longer.length < lineWidth) rows[rows.length - 1] = longer;
    else rows.push(item);
  }
  return rows;
}

function lines(open: string, parts: readonly string[], close: string, indentation: number): string {
  const space = " ".repeat(indentation);
  return `${open}\n${parts.map((part) => `${space}  ${part},\n`).join("")}${space}${close}`;
}

function inlineLiteral(value: unknown): string {
  if (typeof value === "string") return typescriptString(value);
  if (typeof value === "number") return JSON.stringify(value).replace("e+", "e");
  if (Array.isArray(value)) return `[${value.map(inlineLiteral).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const properties = Object.entries(value).map(([key, part]) => `${typescriptKey(key)}: ${inlineLiteral(part)}`);
  return properties.length === 0 ? "{}" : `{ ${properties.join(", ")} }`;
}

/** Formatters break a list of several objects, or of several lists, that have more than one part each, at any depth. */
function isAlwaysBroken(value: unknown): boolean {
  if (!Array.isArray(value)) return isObject(value) && Object.values(value).some(isAlwaysBroken);
  const sizes = value.map((item) => (isObject(item) ? Object.keys(item).length : 0));
  const isOfOneKind = value.every(Array.isArray) || value.every((item) => isObject(item) && !Array.isArray(item));
  return (value.length > 1 && isOfOneKind && sizes.every((size) => size > 1)) || value.some(isAlwaysBroken);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
