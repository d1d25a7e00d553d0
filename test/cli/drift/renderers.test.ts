import { describe, expect, test } from "vitest";
import { driftHtml } from "../../../src/cli/drift/drift-html.ts";
import { driftMarkdown } from "../../../src/cli/drift/drift-markdown.ts";
import type { Difference } from "../../../src/cli/drift/drift-of.ts";
import { driftText } from "../../../src/cli/drift/drift-rows.ts";

const hostile = [
  "<script>alert(1)</script>",
  "a|b",
  "line\nbreak\r\u2028\u0085end",
  "`code` **bold** _it_ ~~no~~ # h",
  "[link](https://evil.example)",
  "![img](https://evil.example/x.png)",
  "https://evil.example www.evil.example",
  "@everyone #1 <!-- --> &lt;b&gt;",
  "</code></td></table><img src=x onerror=alert(1)>",
  "\u202eright to left\u001b[31m",
  "\\| \\` $x$ :smile:",
];

describe("a drift in Markdown", () => {
  test("keeps every value in its cell, whatever it holds", () => {
    const markdown = driftMarkdown(
      driftText(drift(hostile.map((value) => difference({ actual: value, tenant: value })))),
    );
    const rows = markdown.split("\n").filter((line) => line.startsWith("| <code>"));
    expect(rows).toHaveLength(hostile.length);
    for (const row of rows) {
      expect(row.match(/\|/g)).toHaveLength(5);
      const cells = row.slice(2, -2).split(" | ");
      for (const cell of cells) expect(cell).toMatch(/^<code>([\p{L}\p{N} ,-]|&#\d+;)*<\/code>$/u);
    }
  });

  test("shows the text that was there", () => {
    const markdown = driftMarkdown(driftText(drift([difference({ actual: "a|b <c> @d" })])));
    expect(unescaped(markdown)).toContain('<code>"a|b <c> @d"</code> |');
  });

  test("fits in a comment, and counts what does not", () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      difference({ tenant: `t${index}`, actual: "|".repeat(300) }),
    );
    const markdown = driftMarkdown(driftText(drift(many)));
    expect(markdown.length).toBeLessThan(31_000);
    const shown = markdown.split("\n").filter((line) => line.startsWith("| <code>")).length;
    expect(shown).toBeGreaterThan(10);
    expect(markdown).toContain(`... and ${5000 - shown} more`);
  });

  test("escapes the name of the stack", () => {
    expect(driftMarkdown(driftText({ ...drift([]), stack: "<b>\n# x" }))).not.toMatch(/<b>|^# x/m);
  });
});

test.each([
  [1, "1 value could not be compared: the platform hides it."],
  [3, "3 values could not be compared: the platform hides them."],
])("a drift says in all its forms that %i values could not be compared", (valuesNotCompared, sentence) => {
  const text = driftText({ ...drift([]), valuesNotCompared });
  for (const form of [text.summary, driftMarkdown(text), driftHtml(text)]) expect(form).toContain(sentence);
  expect(driftText(drift([])).summary).not.toContain("compared");
});

describe("a drift as a page", () => {
  test("holds no element, attribute or address of a value's", () => {
    const html = driftHtml(driftText(drift(hostile.map((value) => difference({ actual: value, field: value })))));
    const tags = new Set([...html.matchAll(/<\/?([a-z0-9]+)[^>]*>/gi)].map(([, name]) => name));
    expect([...tags].sort()).toEqual(
      ["body", "code", "h1", "h2", "head", "html", "meta", "p", "section", "style", "table", "tbody", "td", "th"]
        .concat(["thead", "title", "tr"])
        .sort(),
    );
    expect(html).not.toMatch(/<(?!meta)[^>]*\b(onerror|src|href)=/);
    expect(html).toContain("&lt;script&gt;");
    expect(html).toContain("default-src 'none'");
    expect(html.match(/<tr>/g)).toHaveLength(hostile.length + 1);
  });
});

describe("a drift in rows", () => {
  test("writes values as JSON, says what is absent, and cuts what is long", () => {
    const { parts, summary } = driftText(
      drift([
        difference({ declared: { a: [1, null] }, actual: "x".repeat(100_000) }),
        difference({ declared: "(secret)", actual: "(secret)", isSecret: true }),
        difference({ declared: "(secret)", actual: 1 }),
        { ...whole, actual: "archived", declared: "exists" },
        { ...whole, declared: "exists", changedOn: "program" },
      ]),
    );
    expect(summary).toBe("1 of 3 tenants is not as declared.");
    expect(parts.map(({ title, rows }) => [title, rows.map(([, , ...values]) => values)])).toEqual([
      [
        "Changed on the platform",
        [
          ['{"a":[1,null]}', `"${"x".repeat(159)}…`],
          ["(secret)", "(secret)"],
          ['"(secret)"', "1"],
          ["exists", "archived"],
        ],
      ],
      ["Declared, and not brought about", [["exists", "(absent)"]]],
    ]);
  });

  test("cuts no character in two", () => {
    const [part] = driftText(drift([difference({ actual: "🙂".repeat(500) })])).parts;
    expect(part?.rows[0]?.[3]).toBe(`"${"🙂".repeat(159)}…`);
  });

  test("lets no value act on a terminal", () => {
    const [part] = driftText(drift(hostile.map((value) => difference({ actual: value, tenant: value })))).parts;
    expect(part?.rows.flat().join("")).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
  });
});

const whole: Difference = {
  tenant: "acme",
  tenantId: 1,
  resource: "Tenant acme",
  isSecret: false,
  changedOn: "platform",
};

function difference(more: Partial<Difference>): Difference {
  return { ...whole, field: "configs.region", declared: "eu", actual: "us", ...more };
}

function drift(differences: Difference[]) {
  return { stack: "test", tenants: 3, valuesNotCompared: 0, differences };
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}
