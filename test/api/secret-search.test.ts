import { describe, expect, test } from "vitest";
import { createSecretSearch } from "../../src/api/secret-search.ts";
import { withoutEscapes } from "../../src/api/without-escapes.ts";

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
    ["as bytes of Python", "p\u00e4sswort", "b'p\\xe4sswort'"],
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
  const { text, starts } = withoutEscapes("a\\\\u003db %25 &amp;lt;");
  expect(text).toBe("a=b % <");
  expect(starts).toEqual([0, 1, 8, 9, 10, 13, 14, 22]);
});
