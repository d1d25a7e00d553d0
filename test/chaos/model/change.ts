import type { Random } from "../random.ts";
import {
  type Choices,
  newFleetTenants,
  newRollingTenants,
  newTenant,
  secretCount,
  someConfigs,
  someRelease,
  someSchedule,
} from "./declare.ts";
import { canary, type Declared, type Entries, type Entry, nameOf, ownPrefix, type Rolling } from "./declared.ts";

/**
 * The declaration after a day's work of its team: a tenth of it is changed, removed, added, or has another key, and the fleet
 * with a rollout gets another release.
 */
export function change(choices: Choices, declared: Declared): Declared {
  const ofTheirOwn = afterChanges(choices, declared.tenants, 2);
  const tenants = { ...ofTheirOwn, ...Object.fromEntries(lateOnes(choices)) };
  if (choices.checkpoints === "end") return { ...declared, tenants };
  const inFleet = afterChanges(choices, declared.fleet, Math.ceil(Object.keys(declared.fleet).length / 28));
  return {
    tenants,
    fleet: { ...inFleet, ...newFleetTenants(choices, "late-f", 10) },
    rolling: rollingAfterChanges(choices, declared.rolling),
    build: declared.build,
    overrides: declared.overrides,
  };
}

function lateOnes(choices: Choices): [string, Entry][] {
  return [0, 1].map((place) => [`${ownPrefix}late-s${place}`, newTenant(choices, place)]);
}

/** Another release. One tenant leaves and two come, but the first wave keeps its tenant. */
function rollingAfterChanges(choices: Choices, { tenants, onFailure }: Rolling): Rolling {
  const leaving = new Set(
    choices.random.sample(
      Object.keys(tenants).filter((key) => key !== canary),
      1,
    ),
  );
  const staying = Object.entries(tenants).filter(([key]) => !leaving.has(key));
  return {
    tenants: { ...Object.fromEntries(staying), ...newRollingTenants(choices, "late-r", 2) },
    tag: "v1.1.0",
    onFailure,
  };
}

/** @param count how many are removed, and how many get another key. */
function afterChanges(choices: Choices, entries: Entries, count: number): Entries {
  const { random } = choices;
  const [removed, moved] = halves(random.sample(Object.keys(entries), 2 * count), count);
  return Object.fromEntries(
    Object.entries(entries)
      .filter(([key]) => !removed.has(key))
      .map(([key, entry]): [string, Entry] => {
        const { aliases: _, ...changed } = random.chance(0.25) ? changedEntry(choices, entry) : entry;
        if (!moved.has(key)) return [key, changed];
        // under its old name, or renamed together with its key
        const name = random.chance(0.5) ? { name: nameOf(key, entry) } : {};
        return [`${key}-moved`, { ...changed, ...name, aliases: [key] }];
      }),
  );
}

function halves(keys: readonly string[], count: number): [Set<string>, Set<string>] {
  return [
    new Set(keys.filter((_, index) => index % 2 === 0).slice(0, count)),
    new Set(keys.filter((_, index) => index % 2 === 1)),
  ];
}

function changedEntry({ random, variants }: Choices, entry: Entry): Entry {
  if (entry.integration !== undefined) return { ...entry, paused: random.chance(0.3) };
  const what = random.pick(["configs", "configs", "secret", "metadata", "schedule", "release", "paused"] as const);
  if (what === "schedule") return { ...entry, schedule: someSchedule(random) };
  if (what === "release") return { ...entry, release: someRelease(random) };
  // a paused tenant with a sync that is due is a contradiction where the platform refuses that
  const mayPause = entry.sync === undefined && variants.pausedSync === "accept";
  if (what === "paused") return { ...entry, paused: mayPause && random.chance(0.3) };
  if (what === "secret")
    return { ...entry, configs: { ...entry.configs, api_token: { secret: random.below(secretCount) } } };
  if (what === "configs") {
    // where the platform merges, a key cannot be removed: that is told as an error, by design
    const kept = variants.configs === "merge" || random.chance(0.5) ? entry.configs : onlySecrets(entry.configs);
    return { ...entry, configs: { ...kept, ...someConfigs(random) } };
  }
  const kept = variants.metadata === "merge" || random.chance(0.5) ? entry.metadata : {};
  return { ...entry, metadata: { ...kept, ...changedMetadata(random) } };
}

/** A masked value that is no longer declared cannot be removed: that is refused, by design. */
function onlySecrets(configs: Entry["configs"] = {}): Entry["configs"] {
  return "api_token" in configs && configs.api_token !== undefined ? { api_token: configs.api_token } : {};
}

function changedMetadata(random: Random) {
  return { plan: random.pick(["copper", "tin"]), seats: 500 + random.below(500) };
}
