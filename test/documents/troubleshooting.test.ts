import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");
const page = readFileSync(join(repository, "docs/troubleshooting.md"), "utf8");

/** The chapter with messages that this project's sources do not have. */
const chapterOfOthers = "Messages of the Pulumi engine and of Node.js";
const files = globSync(["src/**/*.ts", "engine/*.{ts,mjs}", "bootstrap.mjs"], { cwd: repository });
const sources = files.map((file) => withWholeStrings(readFileSync(join(repository, file), "utf8")));
const messages = messagesOn(page);
const ours = messages.filter(({ chapter }) => chapter !== chapterOfOthers);

describe("docs/troubleshooting.md", () => {
  test.each(ours)("quotes a message of a source file: $text", ({ text }) => {
    expect(fixedParts(text).join("").length).toBeGreaterThanOrEqual(15); // a shorter text could be anything
    expect(isInASource(text)).toBe(true);
  });

  test.each([
    "no API key of another platform: set INTEGRATION_PLATFORM_API_KEY, or …", // one word differs
    "is connected or may be: … live in …", // its parts are in two files
    "its release does not show yet. … was requested (POST /v2/sourcecontrol/build)", // the order differs
    "What every error of a request holds.", // a comment
  ])("would not pass with a message that no source has: %s", (text) => {
    expect(isInASource(text)).toBe(false);
  });

  test("explains each message, and quotes none twice", () => {
    expect(ours.length).toBeGreaterThan(0);
    expect(messages.length).toBeGreaterThan(ours.length);
    expect(new Set(messages.map(({ text }) => text)).size).toBe(messages.length);
    expect(messages.filter(({ explanation }) => explanation.length < 50)).toEqual([]);
  });

  test("names only commands of integration-platform that exist", () => {
    const commands = [...page.matchAll(/integration-platform -- ([a-z]+)/g)].map(([, name = ""]) => name);
    expect(commands.length).toBeGreaterThanOrEqual(3);
    expect(commands.filter((name) => !existsSync(join(repository, "src/cli", name, "command.ts")))).toEqual([]);
  });
});

interface Message {
  chapter: string;
  /** The message, with `…` for each part that differs. */
  text: string;
  explanation: string;
}

/** The rows of tables that begin with code. */
function messagesOn(markdown: string): Message[] {
  return partsOf(markdown, "## ").flatMap(({ title: chapter, body }) =>
    [...body.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, text = "", explanation = ""]) => ({
      chapter,
      text,
      explanation,
    })),
  );
}

/** The parts of a document that begin with a heading of one level. */
function partsOf(markdown: string, mark: string): { title: string; body: string }[] {
  const [, ...parts] = `\n${markdown}`.split(`\n${mark}`);
  return parts.map((part) => {
    const [title = "", ...lines] = part.split("\n");
    return { title, body: lines.join("\n").trim() };
  });
}

/** A source file without comments, and with strings that are joined by `+` as one string. */
function withWholeStrings(source: string): string {
  return source
    .replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "")
    .replaceAll(/["'`] \+\s+["'`]/g, "")
    .replaceAll(/\\(["'`])/g, "$1");
}

function fixedParts(text: string): string[] {
  return text
    .split("…")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Whether one source file has all fixed parts of a message, in their order. */
function isInASource(text: string): boolean {
  return sources.some((source) => {
    let end = 0;
    return fixedParts(text).every((part) => {
      const start = source.indexOf(part, end);
      end = start + part.length;
      return start >= 0;
    });
  });
}
