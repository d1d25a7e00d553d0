import { describe, expect, test } from "vitest";
import { createSecretSearch } from "../../src/api/secret-search.ts";

const searchFor = (...secrets: string[]) => {
  const search = createSecretSearch("[secret]", 6);
  secrets.forEach(search.add);
  return search;
};

describe("a secret is replaced", () => {
  test.each([
    ["as it is", "pa\\ss\"wo'rd\n", "pa\\ss\"wo'rd\n"],
    ["in JSON", 'a"b\\c\nd\u0001', String.raw`a\"b\\c\nd\u0001`],
    ["in JSON of ASCII characters", "grün-😀", String.raw`gr\u00fcn-\ud83d\ude00`],
    ["in a URL", "grün/&= 😀", "gr%C3%BCn%2F%26%3D%20%F0%9F%98%80"],
    ["in a URL, in lower case", "grün/&= 😀", "gr%c3%bcn%2f%26%3d%20%f0%9f%98%80"],
    ["in a form", "it's ü *", "it%27s+%C3%BC+*"],
    ["of little but escapes", "lX\\L49", "lX%5cL49"],
    ["with half of a character", "half-\ud83d", String.raw`half-\ud83d`],
  ])("%s", (_, secret, written) => {
    expect(searchFor(secret).replaceIn(`the value (${written}) is too long`)).toBe("the value ([secret]) is too long");
  });
});

test("what stands before a secret may join its first characters", () => {
  const search = searchFor("nine-lives", "41-is-a-secret", "28&kba7SCt{#");
  expect(search.replaceIn("C:\\nine-lives, %41-is-a-secret")).toBe("C:\\[secret], %[secret]");
  expect(search.replaceIn("LIKE '%28%26kba7SCt%7b%23%'")).toBe("LIKE '%[secret]%'");
});

test("other text stays as it is, escapes included", () => {
  const search = searchFor("hunter2-of-acme");
  const text = 'no "\\u0041\\n" &amp; %41 +  \t &#99999999; \\';
  expect(search.replaceIn(`${text}hunter2-of-acme${text}`)).toBe(`${text}[secret]${text}`);
  expect(search.replaceIn(text)).toBe(text);
});

describe("a secret that contains a shorter one is replaced as a whole", () => {
  const dsn = "postgres://integration:pa'ss&w/\"rd@db";
  test.each([
    ["as it is", dsn],
    ["in JSON", JSON.stringify(dsn).slice(1, -1)],
    ["in a URL", encodeURIComponent(dsn)],
  ])("%s", (_, written) => {
    expect(searchFor("integration", dsn).replaceIn(`bad "${written}", integration`)).toBe('bad "[secret]", [secret]');
  });
});

test("what is replaced in JSON leaves JSON", () => {
  const secrets = ["/9j4AAQ+hunter==", "\nbegins with a line", 'ends with "quotes"'];
  const text = JSON.stringify(secrets);
  expect(JSON.parse(searchFor(...secrets).replaceIn(text))).toEqual(["[secret]", "[secret]", "[secret]"]);
});
