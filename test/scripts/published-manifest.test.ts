import { expect, test } from "vitest";
import { publishedManifest } from "../../scripts/published-manifest.ts";

const manifest = {
  name: "p",
  version: "1.0.0",
  type: "module",
  engines: { node: ">=22.19" },
  scripts: { test: "x" },
  devDependencies: { vitest: "5" },
  allowScripts: { node: true },
  dependencies: { zod: "4" },
  bin: { tool: "./src/cli/main.ts" },
  exports: { ".": "./src/index.ts", "./seed": "./src/seed.yaml", "./x/y": "./src/x/y.ts" },
};

test("leads to what is built, and leaves out what only a clone needs", () => {
  expect(publishedManifest(manifest)).toEqual({
    name: "p",
    version: "1.0.0",
    type: "module",
    engines: { node: ">=22.19" },
    dependencies: { zod: "4" },
    publishConfig: { access: "public", provenance: true },
    bin: { tool: "./entry-points/cli/main.cjs" },
    main: "./commonjs/index.js",
    types: "./commonjs/index.d.ts",
    typesVersions: { "*": { "x/y": ["./commonjs/x/y.d.ts"] } },
    exports: {
      ".": {
        import: { types: "./src/index.d.ts", default: "./entry-points/index.js" },
        require: { types: "./commonjs/index.d.ts", default: "./commonjs/index.js" },
      },
      "./seed": "./src/seed.yaml",
      "./x/y": {
        import: { types: "./src/x/y.d.ts", default: "./entry-points/x/y.js" },
        require: { types: "./commonjs/x/y.d.ts", default: "./commonjs/x/y.js" },
      },
    },
  });
});

test("names the repository where it is known, because npm asks for it with a provenance", () => {
  expect(publishedManifest(manifest, "https://git.example.com/owner/name")).toMatchObject({
    repository: { type: "git", url: "git+https://git.example.com/owner/name.git" },
    homepage: "https://git.example.com/owner/name#readme",
    bugs: "https://git.example.com/owner/name/issues",
  });
});
