import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { providerVariable } from "./test/engine/harness/provider-under-test.ts";

// The tests start hundreds of processes: workers, command lines, provider hosts. Node.js keeps what it has compiled for all
// of them, and each starts in half the processor time. Engine stories have a cache of their own: Pulumi's programs run
// with other flags of V8, and either would throw away what the other keeps.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled-javascript");

/** Tests with programs from outside, a browser and a fuzzer, and under load. */
const outside = [
  "test/cli/drift/browser.test.ts",
  "test/emulator/console/browser.test.ts",
  "test/emulator/openapi/schemathesis.test.ts",
  "test/receiver/load.test.ts",
  "test/chaos/memory.test.ts",
  "test/documents/site.test.ts",
];

/** Stories of the harness, the engine, the package and CI, and those that name their provider. All others run on both. */
const ofNoProvider = [
  "test/engine/harness/**",
  "test/engine/native-*.test.ts",
  ...[
    "backend-environment",
    "backends",
    "bench-contenders",
    "built-plugin",
    "built-program",
    "demo",
    "engine-environment",
    "engine-log",
    "without-the-engine-log",
    "refresh-differences",
    "find-engine",
    "import", // on the native provider only
    "lock",
  ],
  ...["pack", "pack-contents", "pack-programs", "package-managers", "readme", "release", "transitive", "upgrades"],
  ...["gitlab-pipeline", "workflows", "stack-file-problems", "stack-option"],
  ...["other-languages", "program-start", "sdks", "several-processes"],
].map((name) => (name.includes("/") ? name : `test/engine/${name}.test.ts`));

/** What the plugin itself does, apart from the lifecycles that both providers share: states, secrets, options, differences, ends. */
const ofThePlugin = [
  ...["aliases", "changes", "drift", "edited-state", "fleets", "interrupted", "nulls", "odd-values", "other-platform"],
  ...[
    "replacement",
    "resource-options",
    "rotated-key",
    "secret-references",
    "secrets-after-a-failure",
    "secrets-cleared-by-hand",
    "secrets-in-the-state",
  ],
  ...["rollouts-interrupted", "without-the-program", "work-and-checks"],
].map((name) => `test/engine/${name}.test.ts`);

/** `npm test` runs the stories of the plugin; `npm run test:native` runs all stories of resources on it, 13 minutes. */
const isEveryStoryOnNative = process.env.NATIVE_STORIES === "all";

/** Each test starts up to five processes: on a busy machine they take minutes, and only what hangs is to be ended. */
const protocolTier = { include: ["test/provider/**/*.test.ts"], testTimeout: 900_000, hookTimeout: 900_000 };
/** Of modules that only the dynamic provider has, and of the address that it alone keeps in each resource's state. */
const onlyOfDynamic = ["engine-log", "secret-parts", "other-platform"].map((name) => `test/provider/${name}.test.ts`);

const onNative = { [providerVariable]: "native" };

const engineTier = {
  include: ["test/engine/**/*.test.ts"],
  globalSetup: ["test/engine/harness/global-setup.ts"],
  testTimeout: 240_000,
  hookTimeout: 240_000,
};

/** The tiers of the tests: CONTRIBUTING.md says what belongs where. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/engine/**", "test/provider/**", "test/aws/**", "test/chaos/short.test.ts", ...outside],
          testTimeout: 20_000,
        },
      },
      { test: { name: "protocol", ...protocolTier } },
      { test: { name: "protocol-native", ...protocolTier, exclude: onlyOfDynamic, env: onNative } },
      {
        test: { name: "outside", include: outside, testTimeout: 240_000, hookTimeout: 400_000 },
      },
      { test: { name: "engine", ...engineTier } },
      {
        test: {
          name: "engine-native",
          ...engineTier,
          ...(isEveryStoryOnNative ? { exclude: ofNoProvider } : { include: ofThePlugin }),
          env: onNative,
        },
      },
      {
        test: {
          name: "chaos",
          include: ["test/chaos/short.test.ts"],
          globalSetup: ["test/engine/harness/global-setup.ts"],
          testTimeout: 900_000,
          sequence: { groupOrder: 1 }, // alone, after all others: it keeps both cores busy
        },
      },
      {
        test: {
          name: "aws",
          include: ["test/aws/**/*.test.ts"],
          globalSetup: ["test/engine/harness/global-setup.ts"],
          testTimeout: 240_000,
          hookTimeout: 400_000,
        },
      },
    ],
  },
});
