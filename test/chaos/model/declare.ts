import type { Variants } from "../../../src/emulator/index.ts";
import type { CheckpointMode } from "../checkpoint-mode.ts";
import type { Random } from "../random.ts";
import { type Declared, type Entries, type Entry, ownPrefix } from "./declared.ts";

/** How many secrets a round has, besides its keys and tokens. */
export const secretCount = 24;

/** How a tenant's settings are chosen. */
export interface Choices {
  readonly random: Random;
  readonly variants: Variants;
  /** Without them, the declaration has no fleet, and nothing that a killed command could not find again. */
  readonly checkpoints: CheckpointMode;
}

/** What a stack declares at first: resources of their own, a fleet with a rollout, and the rest in a fleet without one. */
export function declare(choices: Choices, tenantCount: number): Declared {
  const { random, variants, checkpoints } = choices;
  const isAtEnd = checkpoints === "end";
  const ofTheirOwn = isAtEnd ? tenantCount : Math.min(20, Math.ceil(tenantCount / 4));
  const rolling = isAtEnd ? 0 : Math.max(3, Math.ceil(tenantCount / 10));
  return {
    tenants: Object.fromEntries(
      Array.from({ length: ofTheirOwn }, (_, index) => [`${ownPrefix}s${index}`, newTenant(choices, index)]),
    ),
    fleet: newFleetTenants(choices, "f", tenantCount - ofTheirOwn - rolling),
    rolling: {
      tenants: newRollingTenants(choices, "r", rolling),
      tag: "v1.0.0",
      onFailure: random.pick(["pause", "rollback"] as const),
    },
    // a build that never ends would be waited for in vain: then a release that is there is taken
    build:
      variants.builds === "never"
        ? { tag: "v1.1.0", adopt: true, timeoutSeconds: 30 }
        : { tag: `chaos-${random.below(1e6)}`, adopt: isAtEnd, timeoutSeconds: variants.builds === "slow" ? 120 : 15 },
    overrides: [],
  };
}

/** A tenant that is a resource of its own. @param place by turns: another integration, a sync, the stack's build. */
export function newTenant(choices: Choices, place: number): Entry {
  const { random, checkpoints } = choices;
  if (place % 7 === 3) return shopTenant(random);
  const entry = newEntry(choices, { metadata: 0.7, secret: 0.4, other: 0.6 });
  if (place % 5 === 1) return { ...entry, release: { build: "nightly" } };
  if (place % 5 === 2 && checkpoints === "each")
    return { ...entry, paused: false, sync: { mode: "init", on: ["configs"], timeoutSeconds: 60 } };
  return entry;
}

export function newFleetTenants(choices: Choices, prefix: string, count: number): Entries {
  const numbers = Array.from({ length: count }, (_, index) => index);
  return Object.fromEntries(
    numbers.map((number) => [
      `${ownPrefix}${prefix}${number}`,
      newEntry(choices, { metadata: 0.15, secret: 0.04, other: 0.25 }),
    ]),
  );
}

/** Tenants of a fleet with a rollout: it manages their releases, and the fleet declares that all of them run. */
export function newRollingTenants(choices: Choices, prefix: string, count: number): Entries {
  const entries = Object.entries(newFleetTenants(choices, prefix, count));
  const withoutRelease = entries.map(([key, { release: _, paused: __, ...entry }]): [string, Entry] => [key, entry]);
  return Object.fromEntries(withoutRelease);
}

export function someConfigs(random: Random): Entry["configs"] {
  return {
    batch_size: 1 + random.below(1000),
    ...(random.chance(0.4) ? { region: random.pick(["eu", "us", "uk", "ca", "ap", "au"]) } : {}),
    ...(random.chance(0.3) ? { endpoint: `https://example.org/${random.below(1e6)}` } : {}),
    ...(random.chance(0.2) ? { mapping: { id: `id-${random.below(1e6)}`, kind: random.pick(["a", "b"]) } } : {}),
  };
}

export function someMetadata(random: Random): Entry["metadata"] {
  return {
    plan: random.pick(["gold", "silver", "bronze"]),
    ...(random.chance(0.5) ? { seats: random.below(500) } : {}),
    ...(random.chance(0.3) ? { contact: { city: random.pick(["Köln", "東京", "Graz"]), floor: random.below(9) } } : {}),
  };
}

export function someSchedule(random: Random): string {
  return random.chance(0.2) ? "none" : `${random.below(60)} ${random.below(24)} * * ${random.pick(["*", "1-5", "0"])}`;
}

export function someRelease(random: Random): NonNullable<Entry["release"]> {
  return random.pick([{ id: 901 }, { id: 902 }, { tag: "v1.0.0" }, { tag: "v1.1.0" }, { channel: "Latest" }]);
}

interface Shares {
  readonly metadata: number;
  readonly secret: number;
  readonly other: number;
}

function newEntry({ random }: Choices, { metadata, secret, other }: Shares): Entry {
  const configs = {
    ...(random.chance(other) ? someConfigs(random) : {}),
    ...(random.chance(secret) ? { api_token: { secret: random.below(secretCount) } } : {}),
  };
  return {
    ...(random.chance(0.35) ? { paused: random.chance(0.1) } : {}),
    ...(random.chance(other) ? { schedule: someSchedule(random) } : {}),
    ...(random.chance(other) ? { release: someRelease(random) } : {}),
    ...(Object.keys(configs).length > 0 ? { configs } : {}),
    ...(random.chance(metadata) ? { metadata: someMetadata(random) ?? {} } : {}),
  };
}

function shopTenant(random: Random): Entry {
  return {
    integration: "shop-to-erp",
    paused: false,
    release: random.pick([{ tag: "v2.0.0" }, { id: 912 }, { channel: "Latest" }, { channel: "Default" }]),
    configs: { warehouse: random.pick(["north", "south"]), currency: random.pick(["EUR", "USD"]) },
    metadata: { tier: random.pick(["gold", "silver"]) },
  };
}
