/** Files that decide something, and the unit tests that must notice each change of them. */
export interface Group {
  readonly name: string;
  /** What is changed. */
  readonly mutate: readonly string[];
  /** The tests that run for each change. They are few and fast: the stories of test/model and test/rollouts take minutes. */
  readonly tests: readonly string[];
}

export const groups: readonly Group[] = [
  {
    name: "client",
    mutate: ["src/api/pages.ts", "src/api/retry.ts", "src/api/throttle.ts"],
    tests: [
      "test/api/{cancellation,clock,concurrency,errors,network,pages,requests,responses,retries,retry,shifting-lists,throttle}.test.ts",
      "test/snapshot/*.test.ts",
    ],
  },
  {
    name: "receiver",
    mutate: ["src/receiver/acknowledge/{acknowledge,allowed-sources,token}.ts"],
    tests: ["test/receiver/acknowledge/*.test.ts"],
  },
  {
    name: "secret marks",
    mutate: ["src/provider/secret-marks.ts", "src/provider/secret-parts.ts", "src/settings/secret-detection.ts"],
    tests: [
      "test/provider/{secret-marks,secret-parts}.test.ts",
      "test/plugin/wire/struct.test.ts",
      "test/settings/secret-detection.test.ts",
    ],
  },
  {
    name: "promotion",
    mutate: ["src/cli/promote/{edit-release,proof}.ts"],
    tests: ["test/cli/promote/*.test.ts"],
  },
  {
    name: "rollouts",
    mutate: ["src/resources/fleet-rollout/{begin,gate,next,overridden,run-step,waves}.ts"],
    tests: ["test/resources/fleet-rollout/*.test.ts"],
  },
  {
    name: "plans",
    mutate: ["src/resources/tenant/plan.ts", "src/resources/tenant-fleet/{make-plan,rollout-plan}.ts"],
    tests: [
      "test/resources/tenant-fleet/{make-plan,notes,plan,rollout-*}.test.ts",
      "test/resources/tenant/{create,diff,update,update-*,override}.test.ts",
    ],
  },
  {
    name: "ownership",
    mutate: ["src/operation/{create-ownership,known-ownership,metadata-ownership}.ts"],
    tests: [
      "test/operation/{claims,ownership}.test.ts",
      "test/resources/*.test.ts",
      "test/resources/tenant/{take-over,two-creates}.test.ts",
      "test/resources/tenant-fleet/{removal,renames,replaced,take-overs}.test.ts",
      "test/resources/tenant-metadata/*.test.ts",
    ],
  },
  {
    name: "settings",
    mutate: [
      "src/resources/tenant/comparison.ts",
      "src/settings/{declared-keys,keys-setting,portable-keys,release,schedule,schedule-problem}.ts",
    ],
    tests: [
      "test/settings/*.test.ts",
      "test/resources/secret-paths.test.ts",
      "test/resources/tenant/{check,comparison,create,diff,half-written-secrets,hidden-values,odd-numbers,read,same-text-for-secrets,secret-references,take-over,unseen-removals,update,update-*}.test.ts",
    ],
  },
  {
    name: "write path",
    mutate: [
      "src/settings/{verdict,shown-as,same-minutes}.ts",
      "src/resources/tenant/{judge,waiting,waiting-choices}.ts",
    ],
    tests: [
      "test/settings/{same-minutes,schedule,verdict}.test.ts",
      "test/resources/tenant/{comparison,create,create-lost-answer,diff,half-written-secrets,hidden-values,lost-patch,own-forms,secret-references,unseen-removals,update,update-*,waiting,waiting-choices}.test.ts",
    ],
  },
];

/** The group with this name. @throws Error that lists the names. */
export function groupNamed(name: string): Group {
  const found = groups.find((group) => group.name === name);
  if (found !== undefined) return found;
  throw new Error(`there is no group "${name}", only ${groups.map((group) => group.name).join(", ")}`);
}
