// `npm test`: what each change needs. `npm run test:all` runs this and then all other tiers.
import { runSteps } from "./run-steps.ts";

const tiers = ["unit*", "exhaustive", "protocol*", "engine", "engine-native"];

console.log(
  "npm test: three steps. They take about 12 minutes alone on two cores, and longer beside other work.\n" +
    "The first run also installs or builds what is missing: where Pulumi's engine must be built, 4 to 6 minutes.\n" +
    "`npm run test:fast` runs only what needs no engine.",
);
process.exitCode = await runSteps([
  { name: "style (biome)", takes: "half a minute", command: "biome", args: ["check", "."] },
  { name: "types (tsc)", takes: "a minute", command: "tsc", args: ["-p", "."] },
  {
    name: "tests (vitest)",
    takes: "the rest",
    command: "vitest",
    args: ["run", ...tiers.flatMap((tier) => ["--project", tier])],
  },
]);
