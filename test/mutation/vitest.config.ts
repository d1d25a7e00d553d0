import { defineConfig } from "vitest/config";
import { groupNamed } from "./groups.ts";

/** The tests of one group of mutants, which main.ts names in the environment. */
export default defineConfig({
  test: { include: [...groupNamed(process.env.MUTATION_GROUP ?? "").tests], testTimeout: 20_000 },
});
