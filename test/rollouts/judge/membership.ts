import type { Wave } from "../declared.ts";
import { type Member, type Plan, type StartedWave, tenantsOf } from "./exported.ts";

/**
 * Which tenants each wave gets, if nothing comes, goes or is edited meanwhile: a wave that names tenants gets those, and
 * one with a share gets the next ones by rank that no wave names.
 */
export function assignment({ members }: Plan, waves: readonly Wave[]): Map<number, number> {
  const named = new Set(waves.flatMap(({ tenants = [] }) => tenants));
  const wavesById = new Map<number, number>();
  for (const [index, { tenants, percent = 0 }] of waves.entries()) {
    const free = members.filter(({ key, id }) => key !== undefined && !wavesById.has(id));
    const size = Math.max(0, Math.ceil(round((percent * members.length) / 100)) - wavesById.size);
    const isLast = index === waves.length - 1;
    const chosen =
      tenants === undefined
        ? free.filter(({ key = "" }) => isLast || !named.has(key)).slice(0, size)
        : free.filter(({ key = "" }) => tenants.includes(key));
    for (const { id } of chosen) wavesById.set(id, index);
  }
  return wavesById;
}

/** A wave that may start next, and the tenants that may be in it. */
export interface NextWave {
  readonly index: number;
  readonly allowed: ReadonlySet<number>;
}

/**
 * The next wave that has tenants to move. `undefined` after the last one.
 *
 * @param assigned Where each tenant belongs, as long as nobody has edited the waves.
 */
export function nextWave(
  plan: Plan,
  started: readonly StartedWave[],
  waves: readonly Wave[],
  isToDo: (id: number) => boolean,
  assigned: ReadonlyMap<number, number> | undefined,
): NextWave | undefined {
  const begun = new Set(started.flatMap(tenantsOf));
  const newcomers = plan.newcomers.filter(isFree(begun)).map(({ id }) => id);
  for (let index = started.length; index < waves.length; index += 1) {
    const chosen =
      assigned === undefined
        ? chosenBy(waves, index, plan, begun)
        : plan.members.filter((member) => isFree(begun)(member) && assigned.get(member.id) === index);
    const allowed = new Set([...chosen.map(({ id }) => id), ...newcomers]);
    if ([...allowed].some(isToDo)) return { index, allowed };
    for (const id of allowed) begun.add(id); // that wave is over, with all of its tenants
  }
  return undefined;
}

function chosenBy(waves: readonly Wave[], index: number, { members }: Plan, begun: ReadonlySet<number>): Member[] {
  const { tenants, percent = 0 } = waves[index] ?? {};
  const free = members.filter(isFree(begun));
  if (tenants !== undefined) return free.filter(({ key = "" }) => tenants.includes(key));
  const named = new Set(waves.slice(index + 1).flatMap((wave) => wave.tenants ?? []));
  const earlier = members.filter(({ id }) => begun.has(id)).length;
  const size = Math.max(0, Math.ceil(round((percent * members.length) / 100)) - earlier);
  return free.filter(({ key = "" }) => !named.has(key)).slice(0, size);
}

function isFree(begun: ReadonlySet<number>) {
  return ({ key, id }: Member) => key !== undefined && !begun.has(id);
}

/** Floating point makes 28.999999999999996 of 29. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** A share as a number of tenants, rounded down. */
export function shareOf(share: number | string, count: number): number {
  if (typeof share === "number") return share;
  return Math.floor(round((Number(share.replace("%", "")) * count) / 100));
}
