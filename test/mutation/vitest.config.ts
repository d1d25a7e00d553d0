import { defineConfig } from "vitest/config";

/**
 * The unit tests that test what is mutated (stryker.config.json). They are fast, as many of them run for each mutant. The
 * stories of test/model and test/rollouts would find more, but take minutes.
 */
export default defineConfig({
  test: {
    include: [
      "test/api/{clock,concurrency,errors,network,pages,requests,responses,retries,throttle}.test.ts",
      "test/operation/claims.test.ts",
      "test/plugin/wire/struct.test.ts",
      "test/provider/secret-parts.test.ts",
      "test/receiver/acknowledge/*.test.ts",
      "test/resources/*.test.ts",
      "test/resources/{fleet-rollout,tenant,tenant-fleet,tenant-metadata}/*.test.ts",
      "test/settings/*.test.ts",
      "test/snapshot/*.test.ts",
    ],
    testTimeout: 20_000,
  },
});
