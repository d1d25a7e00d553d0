import { type Fleet, wavesOf } from "../declared.ts";
import type { RawTenant } from "../raw-tenant.ts";
import type { Stored } from "./exported.ts";
import { assignment } from "./membership.ts";

/** What the judge remembers of a fleet. */
export interface Remembered {
  /** The number of the plan that it knows. */
  plan: number;
  /** The waves that each tenant is in if nothing is edited. `undefined` once the waves were. */
  assigned: ReadonlyMap<number, number> | undefined;
  wavesText: string;
  /** What a tenant may get back: what it ran before, or was proven on since. */
  readonly homes: Map<number, Set<string>>;
  /** The tenants that a rollout has moved since the last one finished, to what, and in which plan. */
  readonly moved: Map<number, Move>;
  /** The targets of the rollouts since the last one finished. Whoever is on one may have been moved there. */
  readonly targets: Set<string>;
  /** The tenants that somebody else has changed since they were moved, each with the number of the plan at that time. */
  readonly byHand: Map<number, number>;
  /** The tenants that have failed in the plan, as a process that went on has seen. */
  readonly failed: Set<number>;
}

export interface Move {
  readonly release: number;
  /** Whether it could be synced when it moved: otherwise it is skipped, neither proven nor unavailable. */
  readonly canRun: boolean;
}

/** What the judge remembers of all fleets, from command to command. */
export class Memory {
  readonly #fleets = new Map<string, Remembered>();

  /** Somebody else has changed the release of a tenant. */
  noteChangeByHand(tenantId: number): void {
    for (const { moved, byHand, plan } of this.#fleets.values()) if (moved.has(tenantId)) byHand.set(tenantId, plan);
  }

  noteMove(fleet: string, tenantId: number, move: Move): void {
    this.#fleets.get(fleet)?.moved.set(tenantId, move);
    this.#fleets.get(fleet)?.byHand.delete(tenantId);
  }

  /** Notes whether the declared waves of a fleet were edited. */
  noteWaves(fleet: Fleet): void {
    const known = this.#fleets.get(fleet.name);
    if (known === undefined || known.wavesText === waveText(fleet)) return;
    known.wavesText = waveText(fleet);
    known.assigned = undefined;
  }

  /**
   * Notes what is stored of a fleet now.
   *
   * @param raw the tenants when the command began. After its end, what they ran before is taken from the plan.
   */
  update(fleet: Fleet, { plan, rollout }: Stored, raw?: ReadonlyMap<number, RawTenant>): Remembered {
    const known: Remembered = this.#fleets.get(fleet.name) ?? {
      ...{ plan: 0, assigned: undefined, wavesText: waveText(fleet) },
      ...{ homes: new Map(), moved: new Map(), byHand: new Map(), failed: new Set(), targets: new Set() },
    };
    this.#fleets.set(fleet.name, known);
    if (plan === undefined) return known;
    if (plan.number !== known.plan) {
      known.plan = plan.number;
      known.assigned = assignment(plan, wavesOf(fleet));
      known.failed.clear();
    }
    for (const { id } of [...plan.members, ...plan.newcomers]) {
      const runs = raw?.get(id)?.runs ?? plan.before(id);
      const isNew = !known.moved.has(id) && (rollout?.planNumber !== plan.number || !known.homes.has(id));
      // one that was put on an earlier target by hand looks as if a rollout had moved it
      const mayBeMoved = runs !== undefined && known.targets.has(runs);
      const former = mayBeMoved ? (known.homes.get(id) ?? []) : [];
      if (isNew && runs !== undefined) known.homes.set(id, new Set([runs, ...former]));
    }
    known.targets.add(String(plan.release));
    return known;
  }
}

function waveText(fleet: Fleet): string {
  return JSON.stringify(wavesOf(fleet));
}
