import { describe, expect, test } from "vitest";
import { driftReport, renderJson, renderText } from "../../../src/cli/drift/render.ts";
import { renderHtml } from "../../../src/cli/drift/render-html.ts";
import { renderMarkdown } from "../../../src/cli/drift/render-markdown.ts";
import type { Difference } from "../../../src/cli/drift/tenant-differences.ts";
import { type ReportHead, reportHead } from "../../../src/cli/html-report/report-head.ts";

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
    const markdown = renderMarkdown(drift(hostile.map((value) => difference({ actual: value, tenant: value }))), head);
    const rows = markdown.split("\n").filter((line) => line.startsWith("| <code>"));
    expect(rows).toHaveLength(hostile.length);
    for (const row of rows) {
      expect(row.match(/\|/g)).toHaveLength(5);
      const cells = row.slice(2, -2).split(" | ");
      for (const cell of cells) expect(cell).toMatch(/^<code>([\p{L}\p{N} ,-]|&#\d+;)*<\/code>$/u);
    }
  });

  test("shows the original value", () => {
    const markdown = renderMarkdown(drift([difference({ actual: "a|b <c> @d" })]), head);
    expect(unescaped(markdown)).toContain('<code>"a|b <c> @d"</code> |');
  });

  test("fits in a comment and counts the rows that do not fit", () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      difference({ tenant: `t${index}`, actual: "|".repeat(300) }),
    );
    const markdown = renderMarkdown(drift(many), head);
    expect(markdown.length).toBeLessThan(31_000);
    const shown = markdown.split("\n").filter((line) => line.startsWith("| <code>")).length;
    expect(shown).toBeGreaterThan(10);
    expect(markdown).toContain(`... and ${5000 - shown} more`);
  });

  test("names the tenants that up would archive, leaves room for the rows, and counts what does not fit", () => {
    const archives = Array.from({ length: 500 }, (_, index) => ({ tenant: `t${index}`, tenantId: index }));
    const markdown = renderMarkdown({ ...drift([difference({ tenant: "last" })]), archives }, head);
    expect(markdown.length).toBeLessThan(31_000);
    const shown = markdown.split("\n").filter((line) => line.startsWith("- up will archive tenant <code>")).length;
    expect(shown).toBeGreaterThan(10);
    expect(markdown).toContain(`... and ${500 - shown} more tenants`);
    expect(markdown).toContain("<code>last ");
  });

  test("keeps the name and the refusal of a tenant that up would archive in code", () => {
    const archives = hostile.map((value) => ({ tenant: value, tenantId: 1, refusal: value }));
    const lines = renderMarkdown({ ...drift([]), archives }, head)
      .split("\n")
      .filter((line) => line.startsWith("- "));
    expect(lines).toHaveLength(hostile.length);
    for (const line of lines) {
      expect(line.replace(/<code>([\p{L}\p{N} ,-]|&#\d+;)*<\/code>/gu, "")).toMatch(/^- up will refuse [\w ,:.]+$/);
    }
  });

  test("escapes the name of the stack", () => {
    expect(renderMarkdown({ ...drift([]), stack: "<b>\n# x" }, { ...head, platform: "<b>\n# y" })).not.toMatch(
      /<b>|^# x/m,
    );
  });
});

test("every form of the report says how many tenants an override pauses, and why", () => {
  const overrides = [
    { reason: "INC-42", until: "2026-11-24T06:00:00Z", tenants: 212 },
    ...hostile.map((reason) => ({ reason, tenants: 1 })),
  ];
  const paused = { ...drift([]), overrides };
  const [text, markdown, html] = [renderText, renderMarkdown, renderHtml].map((render) => render(paused, head));
  for (const one of [text, unescaped(markdown ?? "").replace(/<\/?code>/g, ""), html]) {
    expect(one).toContain("212 tenants are overridden: INC-42, until 2026-11-24T06:00:00Z.");
    expect(one?.match(/1 tenant is overridden: /g)).toHaveLength(hostile.length);
  }
  expect(html).not.toMatch(/<(script>alert|img|b>|\/table)/);
  for (const line of markdown?.split("\n").filter((one) => one.startsWith("- ")) ?? []) {
    expect(line).toMatch(/^- \d+ tenants? (is|are) overridden: <code>([\p{L}\p{N} ,-]|&#\d+;)*<\/code>\.$/u);
  }
  expect(JSON.parse(renderJson(paused, head)).overrides).toEqual(overrides);
});

test.each([
  [1, "1 value could not be compared, because its secret could not be resolved."],
  [3, "3 values could not be compared, because their secrets could not be resolved."],
])(
  "every form of the report counts the values whose secrets could not be resolved: %i",
  (valuesNotResolved, sentence) => {
    const incomplete = { ...drift([]), valuesNotResolved };
    for (const render of [renderText, renderMarkdown, renderHtml]) expect(render(incomplete, head)).toContain(sentence);
    expect(JSON.parse(renderJson(incomplete, head))).toMatchObject({ valuesNotResolved });
  },
);

test.each([
  [{ tenantsWaiting: 1 }, "1 tenant stays paused until its customer connects it."],
  [{ tenantsWaiting: 3 }, "3 tenants stay paused until their customers connect them."],
  [{ tenantsWithoutOptions: 1 }, "1 tenant waits for the options of a dynamic choice. Once its customer has connected"],
  [{ tenantsWithoutOptions: 3 }, "3 tenants wait for the options of a dynamic choice. Once its customer has connected"],
])("every form of the report says who waits, and for whom: %j", (waiting, sentence) => {
  const found = { ...drift([]), ...waiting };
  for (const render of [renderText, renderMarkdown, renderHtml]) expect(render(found, head)).toContain(sentence);
  expect(JSON.parse(renderJson(found, head))).toMatchObject(waiting);
});

test.each([
  [1, "1 value could not be compared, because the platform hides it."],
  [3, "3 values could not be compared, because the platform hides them."],
])("every form of the report counts the values that could not be compared: %i", (valuesNotCompared, sentence) => {
  const incomplete = { ...drift([]), valuesNotCompared };
  for (const render of [renderText, renderMarkdown, renderHtml]) {
    expect(render(incomplete, head)).toContain(sentence);
    expect(render(drift([]), head)).not.toContain("compared");
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

test("what has gone is in every form of the report, even without differences, and acts in none of them", () => {
  const gone = hostile.map((value, index) => ({
    ...{ stack: "test", tenant: value, tenantId: index, resource: "Tenant acme", field: value, actual: value },
    ...{ isSecret: false, changedOn: "platform" as const },
    ...{ firstFoundAt: "2026-11-20T14:03:07Z", lastFoundAt: head.createdAt, goneAt: head.createdAt },
  }));
  const history = { at: head.createdAt, previousRunAt: "2026-11-21T05:17:00Z", gone };
  const [text, markdown, html] = [renderText, renderMarkdown, renderHtml].map((render) =>
    render({ ...drift([]), history }, head),
  );
  for (const one of [text, markdown, html]) expect(one).toContain("Gone since the run of 2026-11-21 05:17 UTC");
  expect(text?.match(/since 2026-11-20 14:03 UTC/g)).toHaveLength(hostile.length);
  expect(text?.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
  const rows = markdown?.split("\n").filter((line) => line.startsWith("| <code>")) ?? [];
  expect(rows).toHaveLength(hostile.length);
  for (const row of rows) expect(row).toMatch(/^\|( <code>([\p{L}\p{N} ,-]|&#\d+;)*<\/code> \|){5}$/u);
  expect(html?.match(/<li data-group>/g)).toHaveLength(hostile.length);
  expect(html).not.toMatch(/<(script>alert|img|b>|\/table)/);
});

test("equal differences have one line in HTML, with the earliest time at which one of them was found", () => {
  const at = head.createdAt;
  const since = (...times: string[]) =>
    renderHtml(
      {
        ...drift(times.map((firstFoundAt, tenantId) => difference({ tenantId, firstFoundAt }))),
        history: { at, gone: [] },
      },
      head,
    ).match(/<\/code>, ([^<]*)<\/summary>/)?.[1];
  expect(since(at, at)).toBe("new");
  expect(since("2026-11-20T14:03:07Z", "2026-11-20T14:03:07Z")).toBe("since 2026-11-20 14:03 UTC");
  expect(since(at, "2026-11-20T14:03:07Z")).toBe("since 2026-11-20 14:03 UTC at the earliest");
});

describe("a drift report in HTML", () => {
  const html = renderHtml(
    drift(hostile.map((value, index) => difference({ actual: value, path: [value], tenant: value, tenantId: index }))),
    { ...head, project: "<img src=x>", platform: 'https://platform.example.com/"onclick="x' },
  );

  test("contains no element and no attribute from a value", () => {
    const tags = new Set([...html.matchAll(/<\/?([a-z0-9]+)[^>]*>/gi)].map(([, name]) => name));
    expect([...tags].sort()).toEqual(
      "a article body code dd details div dl dt h1 h2 h3 head header html input label li main meta output p script section style"
        .concat(" summary table tbody td th thead title tr ul")
        .split(" ")
        .filter((tag) => !["details", "summary"].includes(tag)),
    );
    expect(html).not.toMatch(/<[^>]*\s(on\w+|src)=/);
    expect(html.match(/<tr>/g)).toHaveLength(2 * hostile.length);
  });

  test("links only to its own parts and to the platform's address", () => {
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target = ""]) => target);
    const others = new Set(targets.filter((target) => !/^#tenant-\d+$/.test(target)));
    expect([...others]).toEqual(["https://platform.example.com/&quot;onclick=&quot;x"]);
    expect(renderHtml(drift([]), { ...head, platform: "javascript:alert(1)" })).not.toContain("href");
  });

  test("names the tenants that up would archive or refuse to archive, and escapes them", () => {
    const archives = [
      { tenant: "old", tenantId: 1 },
      ...hostile.map((refusal) => ({ tenant: "x", tenantId: 2, refusal })),
    ];
    const text = renderHtml({ ...drift([]), archives }, head);
    expect(text).toContain("<li>up will archive tenant old (1).</li>");
    expect(text.match(/<li>up will refuse to archive tenant x \(2\)[^<]*<\/li>/g)).toHaveLength(hostile.length);
  });

  test("names the tenants that changed in the same way together", () => {
    const paused = Array.from({ length: 60 }, (_, index) =>
      difference({ tenant: `t-${index}`, tenantId: index, path: ["paused"], declared: false, actual: true }),
    );
    const text = renderHtml(drift([difference({ tenantId: 99 }), ...paused]), head).replace(/<[^>]*>/g, "");
    expect(text).toContain("60 tenants: paused declared false, actual true");
    expect(text.indexOf("60 tenants")).toBeLessThan(text.indexOf("configs.region declared"));
    expect(text).toContain("Changed on the platform: 61 tenants");
  });
});

test("every report says when it was made, for which project and on which platform", () => {
  const { project = "", platform = "", createdAt } = head;
  for (const part of [project, platform, createdAt]) {
    expect(unescaped(renderMarkdown(drift([]), head))).toContain(part);
    expect(renderHtml(drift([]), head)).toContain(part);
  }
  expect(JSON.parse(renderJson(drift([]), head))).toMatchObject(head);
  expect(reportHead({ project: "p", platform: undefined, createdAt: new Date("2026-11-22T05:17:00.123Z") })).toEqual({
    project: "p",
    createdAt: "2026-11-22T05:17:00Z",
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

const head: ReportHead = {
  project: "tenants",
  platform: "https://platform.example.com",
  createdAt: "2026-11-22T05:17:00Z",
};

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
  return { stack: "test", tenants: 3, valuesNotCompared: 0, differences, archives: [], overrides: [] };
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}
