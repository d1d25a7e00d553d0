import type { Wave } from "./schema.ts";

/** The name of the wave of those that are behind after the end. A strategy has no wave of this name. */
export const stragglers = "stragglers";

/** A tenant of a rollout. Two of them are the same if they are the same object. */
interface Member {
  /** Its key in the fleet; `undefined` if it has left the rollout. */
  key: string | undefined;
}

/** A wave that has started. */
export interface StartedMembers<One extends Member> {
  members: readonly One[];
  /** Those that joined it as they were moved already. They keep their places in the waves to which they belong. */
  joined: ReadonlySet<One>;
}

/** The tenants of a rollout. */
export interface Ranking<One extends Member> {
  /** Those that the rollout began with, by rank. */
  ranked: readonly One[];
  /** Those that came later. */
  newcomers: readonly One[];
}

/**
 * The members of the waves that have not started. A wave's size is its share of the tenants that the rollout began with,
 * less the waves before it. Tenants that have left keep their place, so that no other moves into another wave; newcomers
 * join the first of these waves, unless a wave names them.
 *
 * @param waves all waves of the strategy.
 * @param started the waves that have started, which are the first ones of the strategy.
 */
export function plannedWaves<One extends Member>(
  waves: readonly Wave[],
  { ranked, newcomers }: Ranking<One>,
  started: readonly StartedMembers<One>[],
): One[][] {
  const hasStarted = new Set(started.flatMap(({ members }) => members));
  const isRanked = new Set(ranked);
  const placed = new Set(started.flatMap(({ members, joined }) => members.filter((member) => !joined.has(member))));
  const unstarted = waves.slice(started.length);
  const byKey = new Map([...ranked, ...newcomers].map((member) => [member.key, member]));
  const named = new Set(unstarted.flatMap(({ tenants = [] }) => tenants));
  const isFree = (member: One) => !placed.has(member) && !(member.key !== undefined && named.has(member.key));

  return unstarted.map(({ tenants, percent = 0 }, index) => {
    const earlier = [...placed].filter((member) => isRanked.has(member)).length;
    const size = Math.max(0, shareUp(percent, ranked.length) - earlier);
    const own =
      tenants === undefined
        ? ranked.filter(isFree).slice(0, size)
        : tenants.flatMap((key) => byKey.get(key) ?? []).filter((member) => !placed.has(member));
    const coming = index === 0 ? newcomers.filter(isFree) : [];
    for (const member of [...own, ...coming]) placed.add(member);
    return [...own, ...coming].filter((member) => !hasStarted.has(member));
  });
}

/**
 * The waves with those that have started first. They are known by their names, so that a wave which is removed or inserted
 * makes no other wave count as started.
 *
 * @param started the names of the waves that have started.
 */
export function inOrder(waves: readonly Wave[], started: readonly string[]): Wave[] {
  const byName = new Map(waves.map((wave) => [waveName(wave), wave]));
  const hasStarted = new Set(started);
  return [
    ...started.map((name) => ({ percent: 0, ...byName.get(name), name })),
    ...[...byName].flatMap(([name, wave]) => (hasStarted.has(name) ? [] : [{ ...wave, name }])),
  ];
}

/**
 * The name of a wave: its own, or its share, or the keys of its tenants. It stays the same if other waves are removed or inserted.
 * A tenant belongs to one wave only, so no two waves begin with the same tenants.
 */
export function waveName({ name, percent, tenants = [] }: Wave): string {
  if (name !== undefined) return name;
  if (percent !== undefined) return `${percent}%`;
  if (tenants.length === 0) return "no tenants";
  if (tenants.length <= 3) return tenants.join(", ");
  return `${tenants.slice(0, 2).join(", ")} and ${tenants.length - 2} more`;
}

/** A percentage of a number, rounded up. The product of two decimals is a little off, so it is rounded first. */
function shareUp(percent: number, of: number): number {
  return Math.ceil(Number(((percent * of) / 100).toFixed(6)));
}
