import { expect, test } from "vitest";
import { shortList } from "../../src/json/short-list.ts";

const words = Array.from({ length: 5000 }, (_, index) => `word-${index}`);

test("a list of many texts in a message has a limit, and says how many more there are", () => {
  expect(shortList(words.slice(0, 10))).toBe(words.slice(0, 10).join(", "));
  expect(shortList(words.slice(0, 12), { maximum: 3 })).toBe("word-0, word-1, word-2 and 9 more");
  expect(shortList(words)).toMatch(/^word-0, word-1, .*, word-9 and 4,990 more$/);
});

test("the text that is nearest to what somebody wrote comes first, if not all are shown", () => {
  expect(shortList(words, { wanted: "Word-4711x" })).toMatch(/^word-4711, .* and 4,990 more$/);
  expect(shortList(["eu", "us"], { wanted: "us" })).toBe("eu, us");
});
