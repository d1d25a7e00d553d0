import { isDeepStrictEqual } from "node:util";
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  Scalar,
  stringify,
  YAMLMap,
  YAMLSeq,
} from "yaml";
import { defined } from "../../json/defined.ts";
import { isJsonObject } from "../../json/json-value.ts";
import { oneLine } from "../../json/one-line.ts";
import { namespace, ownKey } from "../../stack/config/config-values.ts";
import { isHeldByEngine } from "../../stack/yaml/engine-text.ts";
import type { YamlOverride } from "../pause-note/note.ts";

/** A change of a stack's overrides: `to` is added, or takes the place of `from`. Without `to`, `from` is removed. */
export interface OverrideEdit {
  from?: YamlOverride | undefined;
  to?: YamlOverride | undefined;
}

/** Why the text of a stack's file was not changed. */
export class UneditableError extends Error {
  override readonly name = "UneditableError";
}

const overridesKey = `${namespace}:overrides`;

/**
 * Changes the overrides in the text of a stack's file. All other text stays as it is, and so do the comments between the
 * overrides.
 *
 * @param options.project name of the stack's project, in which keys without a namespace are.
 * @param options.keepsEmptyList whether an empty list stays where the last override was: without it, those of Pulumi.yaml or of
 * an environment of Pulumi ESC would hold.
 * @throws UneditableError if the file has a layout that this does not understand, or the change would not have exactly the
 * intended effect.
 */
export function editOverrides(
  text: string,
  edits: readonly OverrideEdit[],
  { project, keepsEmptyList = false }: { project?: string | undefined; keepsEmptyList?: boolean } = {},
): string {
  if (edits.some(({ to }) => to !== undefined && !isOverrideHeld(to))) {
    throw new UneditableError(
      "Pulumi does not read a name or a reason that begins with a line end or a tab as it is written",
    );
  }
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const place = overridesPlace(text, project);
  const rendered = renderEdited(place.written, edits) || (keepsEmptyList ? `${overridesKey}: []\n` : "");
  const indented = rendered.replaceAll(/^(?=.)/gm, place.indent).replaceAll("\n", lineEnd);
  const isLineOpen = indented !== "" && place.start > 0 && text[place.start - 1] !== "\n";
  const edited = text.slice(0, place.start) + (isLineOpen ? lineEnd : "") + indented + text.slice(place.end);
  requireOnlyIntended(text, edited, edits);
  return edited;
}

function isOverrideHeld(override: YamlOverride): boolean {
  return [Object.values(override)].flat(2).every((value) => typeof value !== "string" || isHeldByEngine(value));
}

/** Overrides as the YAML of a stack's `config`, to be added by hand. */
export function renderOverrides(overrides: readonly YamlOverride[]): string {
  return renderEdited(
    "",
    overrides.map((to) => ({ to })),
  ).replaceAll(/^(?=.)/gm, "  ");
}

/** A name as YAML, in quotes if it needs them. */
export function renderName(name: string): string {
  return stringify(scalarOf(name), { lineWidth: 0 }).trimEnd().replaceAll(endsOfLines, oneLine);
}

/** Where the overrides are, or can be. */
interface OverridesPlace {
  start: number;
  end: number;
  /** The white space before the keys of `config`. */
  indent: string;
  /** The text of the key and its value; empty if there is none. */
  written: string;
}

function overridesPlace(text: string, project: string | undefined): OverridesPlace {
  const document = parsed(text);
  const { contents } = document;
  const configPair = isMap(contents) ? contents.items.find((pair) => isKey(pair, "config")) : undefined;
  const config = configPair?.value;
  const [first] = isMap(config) ? config.items : [];
  if (!isMap(config) || config.flow === true || first === undefined) {
    throw new UneditableError("its `config` is not a block of keys");
  }
  const indentAt = (pair: Pair) => {
    const start = offsetsOf(pair.key)[0];
    const lineStart = text.lastIndexOf("\n", start - 1) + 1;
    const indent = text.slice(lineStart, start);
    if (!/^ *$/.test(indent)) throw new UneditableError("a key of its `config` does not begin a line");
    return { lineStart, indent };
  };
  const { indent } = indentAt(first);
  const pair = config.items.find((one) => isKey(one, overridesKey));
  if (pair !== undefined) {
    const { lineStart: start } = indentAt(pair);
    const [, valueEnd, nodeEnd] = offsetsOf(pair.value);
    // What follows a block belongs to the next key; after another value it is the rest of the line.
    const isBlock = (isMap(pair.value) || isSeq(pair.value)) && pair.value.flow !== true;
    const end = isBlock ? withoutIndent(text, valueEnd) : nodeEnd;
    return { start, end, indent, written: text.slice(start, end) };
  }
  if (config.items.some((one) => isScalar(one.key) && ownKey(String(one.key.value), project) === "overrides")) {
    throw new UneditableError(`its config has the key overrides: write ${overridesKey}`);
  }
  const lineEnd = text.indexOf("\n", offsetsOf(configPair?.key)[1]);
  if (lineEnd === -1 || lineEnd > offsetsOf(first.key)[0]) throw new UneditableError("its `config` is on one line");
  return { start: lineEnd + 1, end: lineEnd + 1, indent, written: "" };
}

/** After a comment, the parser counts the white space before the next key as a part of the block. */
function withoutIndent(text: string, end: number): number {
  const lineStart = text.lastIndexOf("\n", end - 1) + 1;
  return /^ *$/.test(text.slice(lineStart, end)) ? lineStart : end;
}

/** The overrides with the changes, without indentation. Empty if none is left. */
function renderEdited(written: string, edits: readonly OverrideEdit[]): string {
  const document: Document = parsed(written === "" ? `${overridesKey}: []\n` : written);
  const { contents } = document;
  const pair = isMap(contents) ? contents.items[0] : undefined;
  if (pair === undefined) throw new UneditableError("its overrides cannot be found");
  const list = listOf(pair.value);
  for (const { from, to } of edits) {
    const index = from === undefined ? -1 : list.items.findIndex((item) => isOverride(item, document, from));
    const item = list.items[index];
    if (to === undefined) {
      if (index !== -1) list.items.splice(index, 1);
    } else if (isMap(item)) setOverride(document, item, to);
    else list.items.push(newOverride(document, to));
  }
  if (list.items.length === 0) return "";
  pair.value = list;
  list.flow = false;
  return document.toString({ lineWidth: 0 }).replaceAll(endsOfLines, oneLine);
}

/** Go's reader, which the Pulumi engine has, ends a line here, or takes them for no YAML. */
const endsOfLines = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** The overrides as a list. The YAML may have a single one without a list. */
function listOf(value: unknown): YAMLSeq {
  if (isSeq(value)) return value;
  const list = new YAMLSeq();
  if (isMap(value)) list.items.push(value);
  else if (!isScalar(value) || value.value !== null) throw new UneditableError("its overrides are not a list");
  return list;
}

const overrideKeys = ["paused", "reason", "until", "integration", "tenants"] as const;

function setOverride(document: Document, item: YAMLMap, override: YamlOverride): void {
  for (const key of overrideKeys) {
    if (override[key] === undefined) item.delete(key);
    else if (!isDeepStrictEqual(valueIn(item, document)[key], override[key])) {
      const node = item.get(key, true);
      if (key === "tenants" && isSeq(node)) setNames(node, override.tenants ?? []);
      else if (key === "until" && isScalar(node))
        node.value = override.until; // keeps its comment
      else item.set(key, valueNode(document, override[key]));
    }
  }
}

/** Replaces the names of a list, so that those that stay keep their comments. */
function setNames(list: YAMLSeq, names: readonly string[]): void {
  const known = new Map(list.items.map((item) => [isScalar(item) ? String(item.value) : "", item]));
  list.items = names.map((name) => known.get(name) ?? scalarOf(name));
}

function newOverride(document: Document, override: YamlOverride): YAMLMap {
  const item = new YAMLMap();
  setOverride(document, item, override);
  const paused = item.get("paused", true);
  if (isScalar(paused)) paused.comment = " written by `integration-platform pause`; `resume` removes it";
  return item;
}

/** A list of so many names stands in one line. */
const inlineNamesMaximum = 6;

function valueNode(document: Document, value: NonNullable<YamlOverride[keyof YamlOverride]>) {
  if (!Array.isArray(value)) return scalarOf(value);
  const list = document.createNode(value.map(scalarOf));
  if (isSeq(list)) list.flow = value.length <= inlineNamesMaximum;
  return list;
}

/** A scalar that all dialects of YAML read as the same value. */
function scalarOf(value: string | number | boolean): Scalar {
  const scalar = new Scalar(value);
  const isPlainWord =
    /^[a-z][\w-]*$/i.test(String(value)) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(String(value));
  if (typeof value === "string" && !isPlainWord) scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/** @throws UneditableError if anything but the overrides has changed, or not all of them have as they should. */
function requireOnlyIntended(text: string, edited: string, edits: readonly OverrideEdit[]): void {
  const [before, after] = [valueOfFile(text), valueOfFile(edited)];
  const { [overridesKey]: formerly, ...others } = before.config;
  const { [overridesKey]: now, ...othersNow } = after.config;
  const expected = [formerly ?? []].flat();
  for (const { from, to } of edits) {
    const index = from === undefined ? -1 : expected.findIndex((one) => isDeepStrictEqual(one, defined(from)));
    if (index !== -1) expected.splice(index, 1, ...(to === undefined ? [] : [defined(to)]));
    else if (to !== undefined) expected.push(defined(to));
  }
  const isIntended =
    isDeepStrictEqual({ ...before, config: others }, { ...after, config: othersNow }) &&
    isDeepStrictEqual([now ?? []].flat(), expected);
  if (!isIntended) throw new UneditableError("its layout is unusual");
}

function valueOfFile(text: string): { config: Record<string, unknown> } {
  const value: unknown = parsed(text).toJS({ maxAliasCount: -1 });
  const file = isJsonObject(value) ? value : {};
  return { ...file, config: isJsonObject(file.config) ? file.config : {} };
}

function parsed(text: string): Document.Parsed {
  const document = parseDocument(text, { merge: true, prettyErrors: false });
  if (document.errors.length > 0) throw new UneditableError("it is invalid YAML, or its overrides contain an alias");
  return document;
}

function isOverride(item: unknown, document: Document, override: YamlOverride): boolean {
  return isDeepStrictEqual(valueIn(item, document), defined(override));
}

function valueIn(node: unknown, document: Document): Record<string, unknown> {
  const value: unknown = isMap(node) ? node.toJS(document) : undefined;
  return isJsonObject(value) ? value : {};
}

function isKey({ key }: Pair, name: string): boolean {
  return isScalar(key) && key.value === name;
}

function offsetsOf(node: unknown): readonly [number, number, number] {
  const range = isMap(node) || isSeq(node) || isScalar(node) ? node.range : undefined;
  if (!range) throw new UneditableError("its layout is unusual");
  return range;
}
