import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { providerVariable } from "./test/engine/harness/provider-under-test.ts";
import { SlowestFirst } from "./test/slowest-first.ts";
import { TierTimes } from "./test/tier-times.ts";

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

/**
 * Random sequences, every variant or pair of variants, thousands of tenants, commands that are killed at any request, and files
 * that work for twenty seconds or more.
 */
const exhaustive = [
  "test/{documents/code,documents/incidents,editor-schema/documents,receiver/resource,receiver/subscription}.test.ts",
  "test/{calibration,fuzz,model,rollouts}/*.test.ts",
  "test/**/*properties.test.ts",
  "test/api-on-emulator/every-variant.test.ts",
  "test/cli/pause/{at-once,kills,stacks}.test.ts",
  "test/cli/try/{kills,kills-at-once}.test.ts",
  "test/emulator/scale.test.ts",
  "test/resources/tenant/{half-written-secrets,import-tenant,own-forms,unseen-removals,variants}.test.ts",
  "test/resources/tenant-fleet/{import-tenant-fleet,request-cost}.test.ts",
  "test/resources/tenant-metadata/import-tenant-metadata.test.ts",
  "test/snapshot/tenant-pages.test.ts",
];

/** What only a release, another language, a backend or a CI template can break. */
const ofReleases = [
  ...["backends", "bench-contenders", "demo", "gitlab-pipeline", "other-languages", "pack", "pack-programs"],
  ...["package-managers", "readme", "release", "transitive", "upgrades", "workflows"],
].map(story);

/** One story of each thing that the engine does with the resources: `npm test` runs them, and `npm run test:all` the others. */
const essential = [
  ...[
    "bad-input",
    "changes",
    "drift",
    "fleets",
    "import",
    "interrupted",
    "native-plugin",
    "native-stack",
    "onboarding",
  ],
  ...[
    "own-program",
    "pause-and-resume",
    "replacement",
    "rollouts-in-yaml",
    "secret-references",
    "secrets-in-the-state",
  ],
  ...["stack-option", "take-over", "tenants-in-yaml", "transformed-secrets", "unknown-secrets"],
].map(story);
/** Those of them that are also played on the native provider. */
const essentialOnNative = ["changes", "fleets", "interrupted", "replacement", "secrets-in-the-state"].map(story);

/** Stories of the harness, the engine, the package and CI, and those that name their provider. All others run on both. */
const ofNoProvider = [
  "test/engine/harness/**",
  "test/engine/native-*.test.ts",
  ...[
    "backend-environment",
    "built-plugin",
    "built-program",
    "engine-environment",
    "engine-log",
    "without-the-engine-log",
    "refresh-differences",
    "find-engine",
    "go-program",
    "import", // on the native provider only
    "lock",
  ].map(story),
  ...["pack-contents", "stack-file-problems", "stack-option", "program-start", "sdks", "several-processes"].map(story),
  ...ofReleases,
];

/**
 * What the engine and the plugin do together, beyond the native stories of `essential`: nulls in states, ignored changes,
 * marks of secrets in the state of a failed resource, states that are read without the program, and a move to another platform.
 * The plugin's own part of all other stories is covered by `in-process-native` and `protocol-native`.
 */
const ofThePlugin = [
  "ignored-changes",
  "nulls",
  "other-platform",
  "platform-profile",
  "secrets-after-a-failure",
  "without-the-program",
].map(story);

function story(name: string): string {
  return `test/engine/${name}.test.ts`;
}

/** `npm run test:all` runs these stories of the plugin; `npm run test:native` runs all stories of resources on it. */
const isEveryStoryOnNative = process.env.NATIVE_STORIES === "all";

/** They replace a module of Node.js or of ours, which files in the same process would have too. */
const withReplacedModules = "test/api/{retry,throttle}.test.ts";

const unitTier = {
  include: ["test/**/*.test.ts"],
  exclude: [
    withReplacedModules,
    "test/engine/**",
    "test/provider/**",
    "test/in-process/**",
    "test/aws/**",
    "test/chaos/short.test.ts",
    ...outside,
    ...exhaustive,
  ],
  // the tests of a file may run at the same time, and each waits for the processor with the others
  testTimeout: 60_000,
  maxConcurrency: 10,
  expect: { poll: { timeout: 10_000 } },
  // they wait much, for other processes and for timeouts; vitest wants an order of its own for another number of workers
  maxWorkers: 4,
  sequence: { groupOrder: 1 },
};

/** Each test starts up to five processes: on a busy machine they take minutes, and only what hangs is to be ended. */
const protocolTier = { include: ["test/provider/**/*.test.ts"], testTimeout: 900_000, hookTimeout: 900_000 };
/** Of modules that only the dynamic provider has, and of the address that it alone keeps in each resource's state. */
const onlyOfDynamic = ["engine-log", "secret-parts", "other-platform"].map((name) => `test/provider/${name}.test.ts`);

const onNative = { [providerVariable]: "native" };

/** Stories of stacks whose program, providers and engine are all in the test's process. */
const inProcessTier = { include: ["test/in-process/**/*.test.ts"], testTimeout: 60_000 };

const engineTier = {
  include: ["test/engine/**/*.test.ts"],
  globalSetup: ["test/engine/harness/global-setup.ts"],
  testTimeout: 240_000,
  hookTimeout: 240_000,
};

/** The tiers of the tests: CONTRIBUTING.md says what belongs where, and package.json which of them a command runs. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ["default", new TierTimes()],
    sequence: { sequencer: SlowestFirst },
    projects: [
      // files share what they import, which saves a third of the processor time
      { test: { name: "unit", ...unitTier, isolate: false } },
      { test: { name: "unit-isolated", ...unitTier, include: [withReplacedModules], exclude: [] } },
      { test: { name: "exhaustive", ...unitTier, include: exhaustive, exclude: [] } },
      { test: { name: "in-process", ...inProcessTier } },
      { test: { name: "in-process-native", ...inProcessTier, env: onNative } },
      { test: { name: "protocol", ...protocolTier } },
      { test: { name: "protocol-native", ...protocolTier, exclude: onlyOfDynamic, env: onNative } },
      {
        test: { name: "outside", include: outside, testTimeout: 240_000, hookTimeout: 400_000 },
      },
      { test: { name: "engine", ...engineTier, include: essential } },
      { test: { name: "engine-native", ...engineTier, include: essentialOnNative, env: onNative } },
      { test: { name: "engine-more", ...engineTier, exclude: [...essential, ...ofReleases] } },
      {
        test: {
          name: "engine-native-more",
          ...engineTier,
          ...(isEveryStoryOnNative ? { exclude: [...ofNoProvider, ...essentialOnNative] } : { include: ofThePlugin }),
          env: onNative,
        },
      },
      { test: { name: "releases", ...engineTier, include: ofReleases } },
      {
        test: {
          name: "chaos",
          include: ["test/chaos/short.test.ts"],
          globalSetup: ["test/engine/harness/global-setup.ts"],
          testTimeout: 900_000,
          sequence: { groupOrder: 2 }, // alone, after all others: it keeps both cores busy
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
