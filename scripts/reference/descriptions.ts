import { code, prose } from "./markdown.ts";

/** A description in the columns of a table. Both parts are Markdown. */
export interface Columns {
  /** The default, or an empty string if the description names none. */
  readonly preset: string;
  readonly meaning: string;
}

/** Separates the sentence that names the default from the others: `Default true.` or `Default: the key.` */
export function columnsOf(description: string): Columns {
  const [sentence = "", preset = ""] = defaultSentence.exec(description) ?? [];
  const meaning = description.replace(sentence, "").replace(/ +(?=\n|$)/g, "");
  return { preset: presetOf(preset), meaning: prose(meaning) };
}

/** A default as Markdown: values as code, anything else as prose. */
export function presetOf(text: string): string {
  return /^(true|false|[\d,.]+)$/.test(text) ? code(text) : prose(text);
}

/** The first sentence of a description, without its references to the specification. */
export function firstSentence(description: string): string {
  const [sentence = ""] = description.split(/(?<=\.)\s/);
  return sentence.replace(/ \([^)]*specification[^)]*\)/g, "");
}

// After "Default" comes a colon, or the value itself. "Default for tenants that ..." is another sentence.
const defaultSentence =
  /(?<=^|\.\s)Default(?::|(?= (?:[`\d]|true\b|false\b|UTC\b))) ((?:[^.]|\.(?!\s|$))+)\.(?: |(?=\n)|$)/;
