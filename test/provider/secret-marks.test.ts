import { expect, test } from "vitest";
import { secretMark, withMarksInLists } from "../../src/provider/secret-marks.ts";

const value = { text: "t", nothing: null, one: { deep: "d" }, list: [{ token: "a", name: "n" }, "plain", ["x", "y"]] };
const marked = (...paths: string[][]) => withMarksInLists(value, paths);

test("marks values within lists, where a result is compared with nothing", () => {
  expect(marked(["list", "0", "token"])).toEqual({
    ...value,
    list: [{ token: secretMark("a"), name: "n" }, "plain", ["x", "y"]],
  });
  expect(marked(["list", "2", "1"])).toEqual({ ...value, list: [value.list[0], "plain", ["x", secretMark("y")]] });
  expect(marked(["one", "deep"])).toEqual({ ...value, one: { deep: secretMark("d") } });
});

test("marks whole lists and objects that are secrets", () => {
  expect(marked(["list"])).toEqual({ ...value, list: secretMark(value.list) });
  expect(marked(["one"], ["text"])).toEqual({ ...value, one: secretMark(value.one), text: secretMark("t") });
});

test("marks what stands where a secret was within, but never null", () => {
  expect(marked(["text", "deep"], ["nothing", "deep"])).toEqual({ ...value, text: secretMark("t") });
});
