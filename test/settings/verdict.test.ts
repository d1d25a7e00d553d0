import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/json/json-value.ts";
import { differingPaths, type Evidence, takesAll, type Verdict, verdictOn } from "../../src/settings/verdict.ts";

/** A read soon after the first write, which was answered without the value. */
const soon: Evidence = {
  ...{ declared: "new", before: "old", shown: "old" },
  ...{
    isFinalRead: false,
    isSecret: false,
    wasShown: false,
    isKnownForm: false,
    hasOwnForms: false,
    display: undefined,
    hasSentNull: false,
    isRemovedKey: false,
  },
};
const late: Evidence = { ...soon, isFinalRead: true };
/** The same after another write, before which reads showed this. */
const again = (shownEarlier: JsonValue): Evidence => ({ ...late, shownEarlier: { value: shownEarlier } });
const answering = (value: JsonValue | undefined): Pick<Evidence, "answered"> => ({ answered: { value } });

describe("what the platform made of a value that it shows otherwise", () => {
  test.each<[Verdict, string, Evidence]>([
    ["open", "if a read shows the old value", soon],
    ["not taken", "if the old value stays", late],
    ["not taken", "if the old value stays after another write", again("old")],
    ["not taken", "if the answer shows the old value too", { ...late, ...answering("old") }],
    ["open", "if a read shows another value", { ...soon, shown: "NEW" }],
    ["own form", "if the answer shows that value too", { ...soon, shown: "NEW", ...answering("NEW") }],
    ["open", "if another value stays", { ...late, shown: "NEW" }],
    ["own form", "if it is there again after another write", { ...again("NEW"), shown: "NEW" }],
    ["written by others", "if reads show another one each time", { ...again("NEW 1"), shown: "NEW 2" }],
    ["open", "if the answer shows the declared value", { ...late, shown: "NEW", ...answering("new") }],
    [
      "written by others",
      "if the answer shows the declared value each time",
      { ...again("NEW"), shown: "NEW", ...answering("new") },
    ],
    ["not taken", "if a part is missing", { ...late, declared: { a: 1, b: 2 }, shown: { a: 1 }, before: { a: 0 } }],
    ["not taken", "if the platform has removed it", { ...late, shown: undefined }],
    ["open", "if a removal may not be shown yet", { ...soon, shown: undefined }],
    ["own form", "if an empty value is absent", { ...soon, declared: "", shown: undefined, ...answering(undefined) }],
  ])("%s %s", (verdict, _, evidence) => {
    expect(verdictOn(evidence)).toBe(verdict);
  });
});

describe("where the platform is known to show a value of this place so", () => {
  const known: Evidence = { ...soon, isKnownForm: true };

  test.each<[Verdict, string, Evidence]>([
    ["open", "if it was shown before, too", known],
    ["own form", "if it stays", { ...known, isFinalRead: true }],
    ["own form", "if it was not shown before", { ...known, before: "older" }],
    ["own form", "if the answer shows it", { ...known, ...answering("old") }],
    ["remains", "if it is no longer declared", { ...known, declared: undefined, isFinalRead: true }],
  ])("%s %s", (verdict, _, evidence) => {
    expect(verdictOn(evidence)).toBe(verdict);
  });
});

describe("a secret that a read shows otherwise", () => {
  const first: Evidence = { ...soon, isSecret: true, before: undefined, shown: undefined };
  const rotated: Evidence = { ...soon, isSecret: true, wasShown: true };

  test.each<[Verdict, string, Evidence]>([
    ["open", "if a read shows nothing", first],
    ["cannot be seen", "if reads still show nothing", { ...first, isFinalRead: true }],
    ["cannot be seen", "if the answer shows nothing either", { ...first, ...answering(undefined) }],
    ["cannot be seen", "if a mask stays that was there before", { ...late, isSecret: true }],
    ["cannot be seen", "if a read leaves it out, as the profile says", { ...first, before: "old", display: "omitted" }],
    ["open", "if a read shows what the profile says is left out", { ...first, shown: "***", display: "omitted" }],
    ["cannot be seen", "if a read shows null, as the profile says", { ...first, shown: null, display: "null" }],
    ["open", "if a read leaves out what the profile says is null", { ...first, display: "null" }],
    ["cannot be seen", "if a read shows a mask, as the profile says", { ...first, shown: "***", display: "masked" }],
    ["open", "if a read shows null for what the profile says is masked", { ...first, shown: null, display: "masked" }],
    ["open", "if a read shows another one on a platform that shows all", { ...first, shown: "x", display: "shown" }],
    ["not taken", "if another one stays on a platform that shows all", { ...late, isSecret: true, display: "shown" }],
    ["open", "if a read shows the old one, as until now", rotated],
    ["open", "if the answer shows the old one too", { ...rotated, ...answering("old") }],
    ["not taken", "if the old one stays, which reads have shown until now", { ...rotated, isFinalRead: true }],
    ["cannot be seen", "if something else stays", { ...rotated, shown: "other", isFinalRead: true }],
    [
      "cannot be seen",
      "and never in a form of its own",
      { ...late, isSecret: true, shown: "NEW", ...answering("NEW"), isKnownForm: true },
    ],
  ])("%s %s", (verdict, _, evidence) => {
    expect(verdictOn(evidence)).toBe(verdict);
  });
});

describe("what is not declared and stays", () => {
  const addition: Evidence = { ...soon, declared: undefined };
  const key: Evidence = { ...addition, isRemovedKey: true };

  test.each<[Verdict, string, Evidence]>([
    ["open", "an addition, in the first read", addition],
    ["remains", "an addition, in the last read", { ...addition, isFinalRead: true }],
    ["remains", "an addition that the answer has too", { ...addition, ...answering("old") }],
    ["own form", "an addition after null was sent", { ...addition, isFinalRead: true, hasSentNull: true }],
    ["remains", "a null that was sent", { ...addition, shown: null, isFinalRead: true, hasSentNull: true }],
    [
      "remains",
      "a secret addition after null was sent",
      { ...addition, isFinalRead: true, hasSentNull: true, isSecret: true },
    ],
    ["own form", "an addition that the write has caused", { ...addition, before: undefined, ...answering("old") }],
    ["open", "a removed key, in the first read", key],
    ["remains", "a removed key, in the last read", { ...key, isFinalRead: true }],
    ["remains", "a removed key after null was sent", { ...key, isFinalRead: true, hasSentNull: true }],
    ["remains", "a removed key with another value", { ...key, isFinalRead: true, shown: "other" }],
    ["remains", "a removed key with a known form", { ...key, isFinalRead: true, isKnownForm: true }],
  ])("%s: %s", (verdict, _, evidence) => {
    expect(verdictOn(evidence)).toBe(verdict);
  });
});

describe("all of a declared value is in what is shown", () => {
  test.each<[JsonValue | undefined, JsonValue | undefined, JsonValue | undefined]>([
    ["new", "old", "new"],
    ["new", "old", "NEW"],
    ["new", undefined, "NEW"],
    ["same", "same", "same"],
    [undefined, undefined, 1],
    [1, undefined, "1"],
    ["", "old", undefined],
    [null, "old", undefined],
    [[], "old", undefined],
    [{}, "old", undefined],
    [{ a: "", b: 1 }, undefined, { b: 1 }],
    [{ a: 1 }, undefined, { a: "1", added: 2 }],
    [{ a: { b: 1 } }, { a: { b: 0 } }, { a: { b: "1", c: 2 } }],
    [
      { a: 1, b: 2 },
      { a: 1, b: 0 },
      { a: 1, b: "2" },
    ],
    [
      { a: " 1", b: 2 },
      { a: " 1", b: 0 },
      { a: "1", b: 2 },
    ],
    [
      [1, { a: 2 }],
      [0, { a: 2 }],
      ["1", { a: 2, added: 3 }],
    ],
  ])("%j, before %j, now %j", (declared, before, shown) => {
    expect(takesAll(declared, before, shown)).toBe(true);
  });
});

describe("not all of a declared value is in what is shown", () => {
  test.each<[JsonValue | undefined, JsonValue | undefined, JsonValue | undefined]>([
    ["new", "old", "old"],
    ["new", "old", undefined],
    [0, undefined, undefined],
    [false, undefined, undefined],
    ["", "old", "old"],
    [{}, { a: 1 }, { a: 1 }],
    [{ a: 1 }, { a: 0 }, { a: 0 }],
    [
      { a: 1, b: 2 },
      { a: 0, b: 0 },
      { a: "1", b: 0 },
    ],
    [{ a: 1, b: 2 }, undefined, { a: 1 }],
    [{ a: { b: 1 } }, undefined, { a: "b" }],
    [{ a: 1 }, undefined, [1]],
    ["1", undefined, [1]],
    [{ a: 1 }, undefined, { a: { b: 1 } }],
    [["x"], undefined, "x"],
    [[1, 2], undefined, [1]],
    [[1], undefined, [1, 2]],
    [[1], undefined, { 0: 1 }],
    [[{ a: 1 }], [{ a: 0 }], [{ a: 0 }]],
  ])("%j, before %j, now %j", (declared, before, shown) => {
    expect(takesAll(declared, before, shown)).toBe(false);
  });
});

test.each<[JsonValue | undefined, JsonValue | undefined, string[]]>([
  [1, 1, []],
  [1, 2, [""]],
  [undefined, 1, [""]],
  [{ a: 1 }, undefined, [""]],
  [{ a: 1 }, [1], [""]],
  [{ a: 1, b: { c: 1, d: 2 } }, { b: { d: 3, c: 1, e: 4 } }, ["a", "b.d", "b.e"]],
  [{ list: [1, { a: 1 }] }, { list: [1, { a: 2 }] }, ["list"]],
  [{ secret: [1, { a: 1 }, 3] }, { secret: [1, { a: 2 }, 4] }, ["secret.1.a", "secret.2"]],
  [{ secret: [1, 2] }, { secret: [1] }, ["secret"]],
])("%j and %j differ in %j", (declared, shown, paths) => {
  const differing = differingPaths(declared, shown, ["configs"], ([, key]) => key === "secret");
  expect(differing.map(([, ...path]) => path.join(".")).toSorted()).toEqual(paths);
});
