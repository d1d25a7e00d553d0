import type { Random } from "../random.ts";
import { type Declared, type Entries, fleetKeys, type Override } from "./declared.ts";

/** The declaration in an incident: overrides pause all tenants, or some of them. Everything else stays as it is. */
export function incident(random: Random, declared: Declared): Declared {
  return { ...declared, overrides: random.pick(incidents)(random, declared) };
}

/** The declaration after the incident. */
export function afterIncident(declared: Declared): Declared {
  return { ...declared, overrides: [] };
}

const reason = "INC-42";

const incidents: readonly ((random: Random, declared: Declared) => Override[])[] = [
  () => [{ reason }],
  (random, { tenants, fleet, rolling }) => [
    { reason, tenants: someOf(random, { ...tenants, ...fleet, ...rolling.tenants }) },
  ],
  (random, { tenants }) => [
    { fleet: fleetKeys.plain, reason },
    { reason, tenants: someOf(random, tenants) },
  ],
  (random, { fleet, rolling }) => [
    { fleet: fleetKeys.rolling, reason, tenants: someOf(random, rolling.tenants) },
    { reason, tenants: someOf(random, fleet) },
  ],
];

/** The keys of a third of the tenants. */
function someOf(random: Random, entries: Entries): string[] {
  const keys = Object.keys(entries);
  return random.sample(keys, Math.ceil(keys.length / 3));
}
