import { expect, test } from "vitest";
import { differingPaths } from "../../../src/cli/drift/differing-paths.ts";
import type { JsonObject } from "../../../src/json/json-value.ts";

test.each<[string, JsonObject, JsonObject, string[][]]>([
  ["configs with the key ref, key by key", { ref: "a", x: 1 }, { ref: "b", x: 1 }, [["configs", "ref"]]],
  ["configs with the key ref that another key joins", { ref: "a" }, { ref: "a", x: 1 }, [["configs", "x"]]],
  ["a reference as a whole", { x: { ref: "env:A", version: 1 } }, { x: { ref: "env:A" } }, [["configs", "x"]]],
  ["an escape as a whole", { x: { literal: { ref: "a" } } }, { x: { literal: { ref: "b" } } }, [["configs", "x"]]],
])("%s", (_, left, right, paths) => {
  expect(differingPaths({ configs: left }, { configs: right })).toEqual(paths);
});
