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
];

/** Stories that are no different on the native provider: of the harness, the engine, the package and CI; all others run on both. */
const ofNoProvider = [
  "test/engine/harness/**",
  ...[
    "backend-environment",
    "backends",
    "bench-contenders",
    "engine-environment",
    "find-engine",
    "lock",
    "stack-option",
  ],
  ...["pack", "pack-contents", "pack-programs", "package-managers", "readme", "transitive", "stack-file-problems"],
  ...["gitlab-pipeline", "workflows", "other-languages", "sdks"],
  "several-processes", // with resources of both providers
].map((name) => (name.includes("/") ? name : `test/engine/${name}.test.ts`));

/** Each test starts up to five processes: on a busy machine they take minutes, and only what hangs is to be ended. */
const protocolTier = { include: ["test/provider/**/*.test.ts"], testTimeout: 900_000, hookTimeout: 900_000 };
/** Tests of modules that only the dynamic provider has. */
const ofDynamicModules = ["test/provider/engine-log.test.ts", "test/provider/secret-parts.test.ts"];

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
      { test: { name: "protocol-native", ...protocolTier, exclude: ofDynamicModules, env: onNative } },
      {
        test: { name: "outside", include: outside, testTimeout: 240_000, hookTimeout: 400_000 },
      },
      { test: { name: "engine", ...engineTier } },
      { test: { name: "engine-native", ...engineTier, exclude: ofNoProvider, env: onNative } },
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
