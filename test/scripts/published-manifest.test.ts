import { expect, test } from "vitest";
import { publishedManifest } from "../../scripts/published-manifest.ts";

test("leads to what is built, and leaves out what only a clone needs", () => {
  const manifest = {
    name: "p",
    version: "1.0.0",
    type: "module",
    private: true,
    scripts: { test: "x" },
    devDependencies: { vitest: "5" },
    allowScripts: { node: true },
    dependencies: { zod: "4" },
    bin: { tool: "./src/cli/main.ts" },
    exports: { ".": "./src/index.ts", "./seed": "./src/seed.yaml", "./x": { node: "./src/x.ts" }, "./internal": null },
  };

  expect(publishedManifest(manifest)).toEqual({
    name: "p",
    version: "1.0.0",
    type: "module",
    dependencies: { zod: "4" },
    bin: { tool: "./src/cli/main.js" },
    exports: {
      ".": { types: "./src/index.d.ts", default: "./src/index.js" },
      "./seed": "./src/seed.yaml",
      "./x": { node: { types: "./src/x.d.ts", default: "./src/x.js" } },
      "./internal": null,
    },
  });
});
