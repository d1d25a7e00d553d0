import { describe, expect, test } from "vitest";
import { withPackedLinks } from "../../scripts/packed-documents.ts";

const packed = ["README.md", "docs/a.md", "src/x.js"];
const isPacked = (path: string) => packed.includes(path);
const online = { repositoryUrl: "https://git.example.com/owner/name", tag: "v1.0.0" };

describe.each<[string, string, string, string]>([
  ["a packed file", "[a](../docs/a.md#one)", "[a](../docs/a.md#one)", "[a](../docs/a.md#one)"],
  ["another site", "[a](https://example.com/a.ts)", "[a](https://example.com/a.ts)", "[a](https://example.com/a.ts)"],
  ["the same page", "[a](#a)", "[a](#a)", "[a](#a)"],
  ["a source that is built", "[a](../src/x.ts)", "[a](../src/x.js)", "[a](../src/x.js)"],
  ["a source that is not", "[`a`](../b/y.ts#L1)", "`a`", `[\`a\`](${online.repositoryUrl}/blob/v1.0.0/b/y.ts#L1)`],
  ["a picture", "![a](a.png)", "a", `![a](${online.repositoryUrl}/raw/v1.0.0/docs/a.png)`],
])("a link to %s", (_, text, alone, withSources) => {
  test("leads to a file of the package, or becomes plain text", () => {
    expect(withPackedLinks({ name: "docs/b.md", text, isPacked, online: undefined })).toBe(alone);
  });

  test("leads to the sources online where their place is known", () => {
    expect(withPackedLinks({ name: "docs/b.md", text, isPacked, online })).toBe(withSources);
  });
});
