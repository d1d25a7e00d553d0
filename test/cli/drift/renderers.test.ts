import { describe, expect, test } from "vitest";
import { driftReport, renderText } from "../../../src/cli/drift/render.ts";
import { renderHtml } from "../../../src/cli/drift/render-html.ts";
import { renderMarkdown } from "../../../src/cli/drift/render-markdown.ts";
import type { Difference } from "../../../src/cli/drift/tenant-differences.ts";

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

describe("a drift report in Markdown", () => {
  test("keeps every value in its cell", () => {
    const markdown = renderMarkdown(drift(hostile.map((value) => difference({ actual: value, tenant: value }))));
    const rows = markdown.split("\n").filter((line) => line.startsWith("| <code>"));
    expect(rows).toHaveLength(hostile.length);
    for (const row of rows) {
      expect(row.match(/\|/g)).toHaveLength(5);
      const cells = row.slice(2, -2).split(" | ");
      for (const cell of cells) expect(cell).toMatch(/^<code>([\p{L}\p{N} ,-]|&#\d+;)*<\/code>$/u);
    }
  });

  test("shows the original value", () => {
    const markdown = renderMarkdown(drift([difference({ actual: "a|b <c> @d" })]));
    expect(unescaped(markdown)).toContain('<code>"a|b <c> @d"</code> |');
  });

  test("fits in a comment and counts the rows that do not fit", () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      difference({ tenant: `t${index}`, actual: "|".repeat(300) }),
    );
    const markdown = renderMarkdown(drift(many));
    expect(markdown.length).toBeLessThan(31_000);
    const shown = markdown.split("\n").filter((line) => line.startsWith("| <code>")).length;
    expect(shown).toBeGreaterThan(10);
    expect(markdown).toContain(`... and ${5000 - shown} more`);
  });

  test("names the tenants that up would archive, leaves room for the rows, and counts what does not fit", () => {
    const archives = Array.from({ length: 500 }, (_, index) => ({ tenant: `t${index}`, tenantId: index }));
    const markdown = renderMarkdown({ ...drift([difference({ tenant: "last" })]), archives });
    expect(markdown.length).toBeLessThan(31_000);
    const shown = markdown.split("\n").filter((line) => line.startsWith("- up will archive tenant <code>")).length;
    expect(shown).toBeGreaterThan(10);
    expect(markdown).toContain(`... and ${500 - shown} more tenants`);
    expect(markdown).toContain("| <code>last ");
  });

  test("keeps the name and the refusal of a tenant that up would archive in code", () => {
    const archives = hostile.map((value) => ({ tenant: value, tenantId: 1, refusal: value }));
    const lines = renderMarkdown({ ...drift([]), archives })
      .split("\n")
      .filter((line) => line.startsWith("- "));
    expect(lines).toHaveLength(hostile.length);
    for (const line of lines) {
      expect(line.replace(/<code>([\p{L}\p{N} ,-]|&#\d+;)*<\/code>/gu, "")).toMatch(/^- up will refuse [\w ,:.]+$/);
    }
  });

  test("escapes the name of the stack", () => {
    expect(renderMarkdown({ ...drift([]), stack: "<b>\n# x" })).not.toMatch(/<b>|^# x/m);
  });
});

test.each([
  [1, "1 value could not be compared, because the platform hides it."],
  [3, "3 values could not be compared, because the platform hides them."],
])("every form of the report counts the values that could not be compared: %i", (valuesNotCompared, sentence) => {
  const incomplete = { ...drift([]), valuesNotCompared };
  for (const render of [renderText, renderMarkdown, renderHtml]) {
    expect(render(incomplete)).toContain(sentence);
    expect(render(drift([]))).not.toContain("compared");
  }
  expect(driftReport(incomplete).summary).toContain(sentence);
  expect(driftReport(drift([])).summary).not.toContain("compared");
});

test.each([
  [0, "The stack has no tenants."],
  [1, "The tenant matches its declaration."],
  [3, "All 3 tenants match their declarations."],
])("the summary of a drift without differences counts the tenants: %i", (tenants, summary) => {
  expect(driftReport({ ...drift([]), tenants }).summary).toBe(summary);
});

describe("a drift report in HTML", () => {
  test("contains no element, attribute or address from a value", () => {
    const html = renderHtml(drift(hostile.map((value) => difference({ actual: value, path: [value] }))));
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

describe("a drift report", () => {
  test("writes values as JSON, marks absent ones, and shortens long ones", () => {
    const { sections, summary } = driftReport(
      drift([
        difference({ declared: { a: [1, null] }, actual: "x".repeat(100_000) }),
        difference({ declared: "(secret)", actual: "(secret)", isSecret: true }),
        difference({ declared: "(secret)", actual: 1 }),
        { ...whole, actual: "archived", declared: "exists" },
        { ...whole, declared: "exists", changedOn: "program" },
      ]),
    );
    expect(summary).toBe("1 of 3 tenants differs from its declaration.");
    expect(sections.map(({ title, rows }) => [title, rows.map(([, , ...values]) => values)])).toEqual([
      [
        "Changed on the platform",
        [
          ['{"a":[1,null]}', `"${"x".repeat(159)}…`],
          ["(secret)", "(secret)"],
          ['"(secret)"', "1"],
          ["exists", "archived"],
        ],
      ],
      ["Declared, but not applied", [["exists", "(absent)"]]],
    ]);
  });

  test("cuts no character in two", () => {
    const [section] = driftReport(drift([difference({ actual: "🙂".repeat(500) })])).sections;
    expect(section?.rows[0]?.[3]).toBe(`"${"🙂".repeat(159)}…`);
  });

  test("contains no control characters of a terminal", () => {
    const [section] = driftReport(drift(hostile.map((value) => difference({ actual: value, tenant: value })))).sections;
    expect(section?.rows.flat().join("")).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
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
  return { ...whole, path: ["configs", "region"], declared: "eu", actual: "us", ...more };
}

function drift(differences: Difference[]) {
  return { stack: "test", tenants: 3, valuesNotCompared: 0, differences, archives: [] };
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}
