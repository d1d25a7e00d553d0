import fc from "fast-check";

/** Texts that are YAML, or nearly, or not at all: all that the language has, and most of what it should not have. */
export function yamlTexts(good: readonly string[]): fc.Arbitrary<string> {
  const spliced = fc
    .tuple(fc.constantFrom(...good), fc.array(fc.tuple(fc.nat(5000), fc.nat(40), fragment), { maxLength: 4 }))
    .map(([text, splices]) => splices.reduce(splice, text));
  const fromScratch = fc.tuple(directive, node).map(([start, text]) => `${start}${text}\n`);
  const under = fc.tuple(directive, fc.constantFrom(...good), node).map(([start, text, more]) => {
    return `${start}${text}zeta: ${more}\n`;
  });
  return fc.oneof(
    { weight: 30, arbitrary: spliced },
    { weight: 30, arbitrary: under },
    { weight: 10, arbitrary: fromScratch },
    { weight: 1, arbitrary: hostile },
  );
}

function splice(text: string, [at, length, fragment]: readonly [number, number, string]): string {
  const place = at % (text.length + 1);
  return text.slice(0, place) + fragment + text.slice(place + length);
}

const directive = fc.oneof(
  { weight: 8, arbitrary: fc.constant("") },
  fc.constantFrom("%YAML 1.1\n---\n", "%YAML 9.9\n---\n", "%TAG ! tag:x,1:\n---\n", "---\n", "\ufeff", "--- !!set\n"),
);

const scalars = [
  ["~", "null", "true", "yes", "0", "-0", "0o17", "0x_f", "1e999", ".nan", "-.inf", "9007199254740993", "12e03"],
  ["2001-12-14", "1:30", "''", '""', '"\\0"', '"\\ud800"', '"\\x1b[31m"', "a b", "'it''s'", "|\n  text\n", ">-\n  x\n"],
  [
    "!!binary aGk=",
    "!!timestamp 2001-12-14",
    "!!int x",
    "!!str 5",
    "!mine x",
    "!<tag:x> y",
    "!!float .nan",
    "!!null x",
  ],
  ["*a", "*b", "&a x", "&b y", "<<", "=", "@", "`", "%", "%41", "__proto__", "constructor", "toString", "secure"],
  ["integration", "crm", "configs", "metadata", "sync", "release", "aliases", "0 0 * * *", "adopt", "paused", "name"],
].flat();

const keys = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("configs", "metadata", "name", "paused", "release", "schedule", "sync", "a"),
  },
  fc.constantFrom(
    "<<",
    "__proto__",
    "constructor",
    "toString",
    "valueOf",
    "secure",
    "&a k",
    "*a",
    "? [x, y]",
    "? {z: 1}",
  ),
  fc.constantFrom("1", "1.0", "null", "~", ".nan", "true", '""', "!!binary aGk=", "? |\n  long\n", "2001-12-14"),
);

/** Flow style: it can be put anywhere. */
const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(...scalars),
    fc.array(tie("node"), { maxLength: 4 }).map((items) => `[${items.join(", ")}]`),
    fc.array(fc.tuple(keys, tie("node")), { maxLength: 4 }).map((pairs) => flowMap(pairs)),
    fc.tuple(fc.constantFrom("&a ", "&b ", "!!set ", "!!omap ", "!!pairs ", "!!map ", "!x "), tie("node")).map(joined),
  ),
}));

function joined(parts: readonly string[]): string {
  return parts.join("");
}

function flowMap(pairs: readonly (readonly [string, string])[]): string {
  return `{${pairs.map(([key, value]) => `${key}: ${value}`).join(", ")}}`;
}

const fragment = fc.oneof(
  fc.constantFrom(
    ...scalars,
    ": ",
    "- ",
    "  ",
    "\n",
    "\t",
    "\r\n",
    "{",
    "}",
    "[",
    "]",
    "#",
    "---\n",
    "...\n",
    "<<: *a",
  ),
  node,
  fc.string({ unit: "binary", maxLength: 4 }),
);

const depths = fc.constantFrom(1, 50, 199, 201, 1000, 5000);
const hostile = fc.oneof(
  fc.tuple(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 2, max: 12 }), fc.boolean()).map(laughs),
  depths.map((depth) => `a: {configs: {b: ${"[".repeat(depth)}${"]".repeat(depth)}}}\n`),
  depths.map((depth) => `a: {configs: ${"{b: ".repeat(depth)}1${"}".repeat(depth)}}\n`),
  depths.map((depth) => `a: ${"[".repeat(depth)}`),
  depths.map((depth) => `a:\n  ${"- ".repeat(depth)}x\n`),
  fc
    .constantFrom(1, 50, 1000)
    .map((depth) => Array.from({ length: depth }, (_, at) => `${" ".repeat(at)}a:\n`).join("")),
  fc.constantFrom(
    "a: &a [*a]\n",
    "a: &a {configs: {b: *a}}\n",
    "a: &a {<<: *a}\n",
    "a: &a {<<: [*a, *a]}\n",
    "&a a: *a\n",
    "? &a [*a]\n: x\n",
    "a: &a {? *a : 1}\n",
    "a: {configs: &a {toString: 1, valueOf: *a}}\n",
  ),
  fc.constantFrom(10, 300).map((count) => Array.from({ length: count }, (_, at) => `t${at}: {}\n`).join("")),
  fc.constantFrom(10, 300).map((count) => `${"a: {}\n".repeat(count)}`),
  fc.constantFrom(10, 10_000).map((count) => `a: "${"x\\n".repeat(count)}"\n${" ".repeat(count)}# \n`),
);

/** Billion laughs: few lines that stand for many values. */
function laughs([levels, width, isMerge]: readonly [number, number, boolean]): string {
  const lines = Array.from({ length: levels }, (_, level) => {
    const aliases = Array.from({ length: width }, () => `*l${level - 1}`);
    if (level === 0) return "l0: &l0 {configs: {x: 1}}";
    if (isMerge) return `l${level}: &l${level} {<<: [${aliases.join(", ")}], configs: {y: *l${level - 1}}}`;
    return `l${level}: &l${level} {configs: {${aliases.map((alias, at) => `k${at}: ${alias}`).join(", ")}}}`;
  });
  return `${lines.join("\n")}\n`;
}
