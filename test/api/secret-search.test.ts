import { describe, expect, test } from "vitest";
import { createSecretSearch } from "../../src/api/secret-search.ts";
import { unescaped, unescapedWithStarts } from "../../src/api/without-escapes.ts";

const account = JSON.stringify({ type: "service", private_key: "-----BEGIN-----\nMIIEvQ\n-----END-----\n" }, null, 2);
const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(4, "0");
const inUnicode = (text: string, characters: RegExp) => text.replace(characters, (one) => `\\u${hex(one)}`);
/** As Python writes a string in an error. */
const repr = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("'", "\\'")}'`;

describe("a secret is replaced however a server writes it", () => {
  test.each([
    ["as Python's repr, with quotes and line ends", account, repr(account)],
    ["as Python's repr, with a backslash and a quote", 'pa\\ss"word', repr('pa\\ss"word')],
    ["as Python's repr in JSON", account, JSON.stringify(repr(account))],
    ["as bytes of Python", "p\u00e4sswort", "b'p\\xc3\\xa4sswort'"],
    ["as bytes of Python in Latin-1", "p\u00e4sswort", "b'p\\xe4sswort'"],
    ["as characters of Python outside Unicode's first plane", "key-\ud83d\ude00-of-acme", "'key-\\U0001f600-of-acme'"],
    ["as JSON of PHP", "p\u00e4ss/wort", "p\\u00e4ss\\/wort"],
    ["as JSON of Go", "ab&cd<ef>", inUnicode("ab&cd<ef>", /[&<>]/g)],
    ["as JSON of Java", "dG9rZW4td29yZA==", inUnicode("dG9rZW4td29yZA==", /=/g)],
    ["as JSON of .NET", "ab+cd/\u00fc", "ab\\u002Bcd/\\u00FC"],
    ["as JSON in JSON in JSON", 'a"b\\c\nd', JSON.stringify(JSON.stringify(JSON.stringify('a"b\\c\nd')))],
    ["as HTML with decimal characters", `ab"cd'ef`, "ab&#34;cd&#39;ef"],
    ["as HTML in JSON", "ab<cd>ef", "ab\\u0026lt;cd\\u0026gt;ef"],
    ["for a URL, twice", "ab=cd&ef", encodeURIComponent(encodeURIComponent("ab=cd&ef"))],
    ["for a URL, all of it", "gr\u00fcn-\ud83d\ude00", "%67%72%C3%BC%6e%2d%f0%9f%98%80"],
    ["in base64 in JSON of .NET", "?>?>?>?>", inUnicode(btoa("?>?>?>?>"), /[+/=]/g)],
  ])("%s", (_, secret, written) => {
    const search = createSecretSearch("[secret]", 6);
    search.add(secret);
    const text = search.replaceIn(`the value (${written}) is too long`);
    expect(text).toMatch(/^the value \(.{0,12}\[secret\].{0,16}\) is too long$/);
    for (const part of secret.split(/[^a-z0-9]+/i).filter((part) => part.length > 2)) expect(text).not.toContain(part);
  });
});

test("what stands before a secret may join its first characters", () => {
  const search = createSecretSearch("[secret]", 6);
  search.add("nine-lives");
  search.add("41-is-a-secret");
  expect(search.replaceIn("C:\\nine-lives, %41-is-a-secret")).toBe("C:\\[secret], %[secret]");
});

test("other text stays as it is, escapes included", () => {
  const search = createSecretSearch("[secret]", 6);
  search.add("hunter2-of-acme");
  const text = 'no "\\u0041\\n" &amp; %41 +  \t &#99999999; \\';
  expect(search.replaceIn(`${text}hunter2\\u002dof\\u002dacme${text}`)).toBe(`${text.slice(0, -1)}[secret]${text}`);
  expect(search.replaceIn(text)).toBe(text);
});

test("each character of an unescaped text knows where it began", () => {
  const original = "a\\\\u003db %25 &amp;lt;";
  const { text, starts } = unescapedWithStarts(original);
  expect([text, unescaped(original)]).toEqual(["a=b % <", "a=b % <"]);
  expect(starts).toEqual([0, 1, 8, 9, 10, 13, 14, 22]);
});

describe("a secret that contains a shorter one is replaced as a whole", () => {
  const dsn = "postgres://integration:pa'ss&w/rd@db";
  test.each([
    ["as HTML", "postgres://integration:pa&#39;ss&amp;w/rd@db"],
    ["as JSON of PHP", "postgres:\\/\\/integration:pa'ss&w\\/rd@db"],
    ["as JSON of Go", "postgres://integration:pa'ss\\u0026w/rd@db"],
    ["for a URL", encodeURIComponent(dsn)],
  ])("%s", (_, written) => {
    const search = createSecretSearch("[secret]", 6);
    search.add("integration");
    search.add(dsn);
    expect(search.replaceIn(`bad "${written}", integration`)).toBe('bad "[secret]", [secret]');
  });
});

test("what is replaced in JSON leaves JSON", () => {
  const search = createSecretSearch("[secret]", 6);
  search.add("/9j4AAQ+hunter==");
  search.add("\nbegins with a line");
  const text = '["\\/9j4AAQ+hunter==", "\\u002f9j4AAQ\\u002bhunter\\u003d\\u003d", "\\nbegins with a line"]';
  expect(JSON.parse(search.replaceIn(text))).toEqual(["[secret]", "[secret]", "[secret]"]);
});

test.each([
  ["a secret of little but escapes", "lX\\L49", "lX%5cL49 lX\\\\\\\\L49", "[secret] [secret]"],
  ["what looks like an escape before it", "28&kba7SCt{#", "LIKE '%28%26kba7SCt%7b%23%'", "LIKE '%[secret]%'"],
])("%s", (_, secret, text, expected) => {
  const search = createSecretSearch("[secret]", 6);
  search.add(secret);
  expect(search.replaceIn(text)).toBe(expected);
});
