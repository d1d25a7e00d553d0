import { isJsonObject } from "../../json/json-value.ts";
import { isUnknown } from "../../json/unknown.ts";
import {
  type RolloutFleet,
  strategyProblems,
  targetProblems,
} from "../../resources/fleet-rollout/strategy-problems.ts";
import { type ConfigNode, placeAt } from "../config/config-node.ts";
import type { Problem } from "../config/problems.ts";
import type { Declarations } from "../declarations/declarations.ts";
import type { BuildEntry } from "../declarations/schema.ts";
import { buildProblem } from "./cross-checks.ts";
import { areTenantsKnown } from "./known-tenants.ts";

type Builds = Readonly<Record<string, Partial<BuildEntry>>>;

/** What is wrong with the rollouts of fleets, beyond their shapes. */
export function rolloutProblems({ fleets, problems }: Declarations, builds: Builds): Problem[] {
  return fleets.flatMap((declared) => {
    const { node, entry } = declared.fleet;
    const rollout = node.part("rollout");
    if (rollout === undefined) return [];
    // What does not fit the schema has problems already. The rest of it is checked as it is written.
    const written = isJsonObject(rollout.value) ? rollout.value : {};
    const strategy = entry.rollout ?? written;
    const fleet = areTenantsKnown(node, problems) ? rolloutFleet(declared, strategy, builds) : undefined;
    const found = [
      ...strategyProblems(strategy, fleet),
      ...(fleet === undefined ? [] : targetProblems(strategy, fleet)),
    ];
    return [
      ...releaseProblems(node, rollout, Object.keys(builds)),
      ...found.map(({ path, reason }) => ({ ...placeAt(rollout, path), reason: withGroups(reason, node) })),
    ];
  });
}

/** A reason that also says where else a tenant's release can be, if the fleet has groups. */
function withGroups(reason: string, fleet: ConfigNode): string {
  if (fleet.part("groups") === undefined) return reason;
  return reason.replace("has a release of its own,", "has a release of its own or of a group,");
}

const targets = "{ tag }, { id } or { build }";

/** What is wrong with the release in the fleet's defaults, to which the rollout takes the tenants. */
function releaseProblems(fleet: ConfigNode, rollout: ConfigNode, builds: readonly string[]): Problem[] {
  const defaults = fleet.part("defaults");
  if (isUnknown(defaults?.value)) return [];
  const release = defaults?.part("release");
  if (release === undefined) {
    return [
      {
        ...rollout.place,
        reason: `needs the release to which it takes the tenants: set defaults.release to ${targets}`,
      },
    ];
  }
  const channel = release.part("channel");
  const build = release.part("build");
  if (channel !== undefined) {
    const reason = `cannot be the target of a rollout, as no wave can hold tenants that follow a channel: write ${targets}`;
    return [{ ...channel.place, reason }];
  }
  const reason = typeof build?.value === "string" ? buildProblem(build.value, builds) : undefined;
  return build === undefined || reason === undefined ? [] : [{ ...build.place, reason }];
}

function rolloutFleet(
  { fleet, tenants }: Declarations["fleets"][number],
  { exclude }: { exclude?: unknown },
  builds: Builds,
): RolloutFleet {
  const pinned = tenants.filter(({ node }) => node.part("release") !== undefined);
  const { tag, build } = fleet.entry.defaults?.release ?? {};
  const builtTag = build === undefined || !Object.hasOwn(builds, build) ? undefined : builds[build]?.tag;
  // the platform knows the tag of an { id }; that of a build may be any value if it does not fit the schema
  const label: unknown = tag ?? builtTag;
  return {
    keys: new Set(tenants.map(({ key }) => key)),
    pinned: new Set(pinned.map(({ key }) => key)),
    excluded: new Set(Array.isArray(exclude) ? exclude : []),
    ...(typeof label === "string" ? { label } : {}),
  };
}
