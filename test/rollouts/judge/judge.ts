import type { ProcessTrace } from "../../model/call.ts";
import { type Declared, type Fleet, wavesOf } from "../declared.ts";
import type { Exchange } from "../gate.ts";
import { type RawTenant, readAll, readOne } from "../raw-tenant.ts";
import { isSync } from "../runs.ts";
import type { Played, Scene } from "../scene.ts";
import { isFrozen, isInWindow } from "./calendar.ts";
import { type Stored, storedBefore, storedOf, tenantsOf } from "./exported.ts";
import { Ledger } from "./ledger.ts";
import { assignment, nextWave, shareOf } from "./membership.ts";

/** What the judge remembers of a fleet. */
interface Remembered {
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
  /** The tenants that somebody else has changed since they were moved. */
  readonly byHand: Set<number>;
  /** The tenants that have failed in the plan, as a process that went on has seen. */
  readonly failed: Set<number>;
}

interface Move {
  readonly release: number;
  /** Whether it could be synced when it moved: otherwise it is skipped, neither proven nor unavailable. */
  readonly canRun: boolean;
}

interface UnderWay {
  readonly declared: Declared;
  readonly kind: "up" | "refresh" | "preview";
  readonly isDisturbed: boolean;
  readonly before: ReadonlyMap<string, Stored>;
  readonly raw: ReadonlyMap<number, RawTenant>;
  readonly beganAt: number;
  readonly failed: Map<string, Set<number>>;
  readonly begun: Map<string, number>;
  writes: number;
  /** What the request under way moves. */
  moving: (Move & { readonly fleet: string; readonly tenantId: number }) | undefined;
}

/** Judges from outside whether a rollout keeps its promises: from requests, responses and exported states. */
export class Judge {
  readonly #scene: Scene;
  readonly #ledger = new Ledger();
  readonly #fleets = new Map<string, Remembered>();
  readonly #violations: string[] = [];
  #now: UnderWay | undefined;
  /** The program of the last `up` that nothing disturbed, if nothing has happened since. */
  #quiet: string | undefined;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Somebody else did something. @param releaseOf The tenant whose release was changed. */
  noteDeed(releaseOf: number | undefined): void {
    this.#quiet = undefined;
    if (releaseOf === undefined) return;
    this.#ledger.forget(releaseOf);
    for (const { moved, byHand } of this.#fleets.values()) if (moved.has(releaseOf)) byHand.add(releaseOf);
  }

  async begin(declared: Declared, kind: UnderWay["kind"], isDisturbed: boolean): Promise<void> {
    this.#now = {
      declared,
      kind,
      isDisturbed,
      before: this.#stored(declared),
      raw: await readAll(this.#scene),
      beganAt: this.#scene.now(),
      failed: new Map(),
      begun: new Map(),
      writes: 0,
      moving: undefined,
    };
    for (const fleet of declared) this.#noteWaves(fleet);
  }

  async before(exchange: Exchange): Promise<void> {
    const { method, path, tenantId } = exchange;
    if (this.#now === undefined || method === "GET") return;
    this.#now.writes += 1;
    if (this.#now.kind !== "up") this.#violate(`12: a ${this.#now.kind} sent ${method} ${path}`);
    if (tenantId === undefined) return;
    const [fleet, key] = this.#ownerOf(tenantId) ?? [];
    if (method === "PATCH") await this.#judgePatch(exchange, tenantId, fleet, key);
    if (method === "POST" && isSync(path) && fleet !== undefined) await this.#judgeSync(tenantId, fleet, key);
  }

  async after(exchange: Exchange): Promise<void> {
    await this.#noteMove();
    const failed = this.#ledger.note(exchange);
    const [fleet] = failed === undefined ? [] : (this.#ownerOf(failed.tenantId) ?? []);
    if (failed === undefined || fleet === undefined || this.#now === undefined) return;
    const target = storedOf(this.#scene.stack.state, fleet.name).plan?.release;
    if (failed.shown !== String(target)) return;
    this.#now.failed.set(fleet.name, new Set(this.#now.failed.get(fleet.name)).add(failed.tenantId));
  }

  /** Whether nothing is left to do. */
  async isAllDone(declared: Declared): Promise<boolean> {
    return isAllDone(this.#stored(declared), await readAll(this.#scene));
  }

  /** The command is over. @returns what it has violated. */
  async end(played: Played): Promise<string[]> {
    const now = this.#now;
    if (now === undefined) return [];
    this.#now = undefined;
    const raw = await readAll(this.#scene);
    for (const fleet of now.declared) {
      const before = now.before.get(fleet.name) ?? nothing;
      const after = storedOf(this.#scene.stack.state, fleet.name);
      if (now.kind !== "up") this.#judgeUnchangedPlan(fleet, before, after);
      else if (!played.isKilled) this.#judgeEnd(now, fleet, after, raw, played.errors.length === 0);
    }
    const program = JSON.stringify(now.declared, (_, value) => (value instanceof Map ? [...value] : value));
    if (
      now.kind === "up" &&
      this.#quiet === program &&
      !now.isDisturbed &&
      isAllDone(now.before, now.raw) &&
      this.#isNobodyGone(now)
    ) {
      if (now.writes > 0) this.#violate(`12: all was done, and an up sent ${now.writes} writes`);
      const calls = played.processes.flatMap(worksIn);
      if (calls.length > 0) this.#violate(`12: all was done, and the engine was told to ${calls.join(", ")}`);
    }
    if (now.kind === "up") this.#quiet = !now.isDisturbed && played.errors.length === 0 ? program : undefined;
    return this.#violations.splice(0);
  }

  /** A move counts once the platform has applied it, whatever it answered. */
  async #noteMove(): Promise<void> {
    const moving = this.#now?.moving;
    if (this.#now === undefined || moving === undefined) return;
    this.#now.moving = undefined;
    const { fleet, tenantId, ...move } = moving;
    if ((await readOne(this.#scene, tenantId))?.runs !== String(move.release)) return;
    this.#fleets.get(fleet)?.moved.set(tenantId, move);
    this.#fleets.get(fleet)?.byHand.delete(tenantId);
  }

  async #judgePatch(
    { body }: Exchange,
    tenantId: number,
    fleet: Fleet | undefined,
    key: string | undefined,
  ): Promise<void> {
    const { integration_release_id: id, integration_release_channel: channel } = Object(body);
    const wanted: unknown = channel ?? id;
    if (this.#now === undefined || wanted === undefined || wanted === null) return;
    const to = String(wanted);
    const tenant = await readOne(this.#scene, tenantId);
    const what = `tenant ${tenantId} (${key}) to ${to}`;
    if (fleet === undefined || key === undefined) return this.#violate(`1: moves ${what}, which is not declared`);
    const entry = fleet.tenants.get(key);
    if (entry?.release !== undefined) return; // a pin, which the fleet itself manages
    if (fleet.exclude.includes(key)) return this.#violate(`1: moves ${what}, which is excluded`);
    if (this.#now.raw.get(tenantId)?.isArchived) this.#violate(`1: moves ${what}, which is archived`);
    const stored = storedOf(this.#scene.stack.state, fleet.name);
    if (stored.plan === undefined) return this.#violate(`7: moves ${what} before a plan is stored`);
    const remembered = this.#rememberedOf(fleet, stored);
    const isMember = [...stored.plan.members, ...stored.plan.newcomers].some(
      (member) => member.id === tenantId && member.key === key,
    );
    if (!isMember) this.#violate(`1: moves ${what}, which is not in the stored plan`);
    const { homes } = remembered;
    const isBack = this.#isWayBack(fleet, stored, to);
    const home = homes.get(tenantId) ?? new Set();
    const isStored = storedBefore(stored, tenantId).some((ref) => home.has(String(ref)));
    const isOver = stored.rollout?.planNumber === stored.plan.number && stored.rollout.phase === "done";
    if (!isBack && !isOver && !isStored) {
      this.#violate(`7: moves ${what}, and the plan has ${stored.plan.before(tenantId)} as before, not ${[...home]}`);
    }
    if (fleet.strategy.paused) this.#violate(`12: moves ${what} while the rollout is paused`);
    const isOfThis = isBack || remembered.moved.get(tenantId)?.release === stored.plan.release;
    if (isOfThis && remembered.byHand.has(tenantId) && tenant?.runs !== String(stored.plan.release)) {
      const isManaged = stored.rollout?.phase === "done" && stored.rollout.direction === "forward";
      if (!isManaged) this.#violate(`10: moves ${what}, which was changed by hand since it moved`);
    }
    if (isBack) return this.#judgeBack(what, tenantId, to, remembered, tenant);
    if (to !== String(stored.plan.release)) return this.#violate(`10: moves ${what}, neither the target nor before`);
    this.#judgeForward(what, tenantId, fleet, stored, tenant);
    await this.#judgeUnavailable(what, tenantId, fleet, stored, tenant);
    this.#now.moving = {
      fleet: fleet.name,
      tenantId,
      release: stored.plan.release,
      canRun: tenant?.canRun !== false,
    };
  }

  #judgeBack(what: string, id: number, to: string, { homes, moved, targets }: Remembered, tenant?: RawTenant): void {
    const home = homes.get(id) ?? new Set();
    if (!home.has(to)) this.#violate(`10: takes back ${what}, and it ran ${[...home]} before`);
    const last = moved.get(id);
    const mayBeMoved = tenant?.runs !== undefined && targets.has(tenant.runs);
    if (last === undefined && !mayBeMoved) this.#violate(`10: takes back ${what}, which nobody has moved`);
    else if (
      last !== undefined &&
      !mayBeMoved &&
      tenant !== undefined &&
      tenant.runs !== String(last.release) &&
      tenant.runs !== to
    ) {
      this.#violate(`10: takes back ${what}, which runs ${tenant.runs} by hand`);
    }
  }

  #judgeForward(what: string, id: number, fleet: Fleet, { plan, rollout }: Stored, tenant?: RawTenant): void {
    const now = this.#now;
    if (now === undefined || plan === undefined) return;
    const { strategy } = fleet;
    const isOfPlan = rollout?.planNumber === plan.number;
    const started = isOfPlan ? rollout.startedWaves : [];
    if (isFrozen(strategy, now.beganAt) && isFrozen(strategy, this.#scene.now()))
      this.#violate(`12: moves ${what} in a freeze`);
    if (isOfPlan && rollout.phase === "failed") this.#violate(`11: moves ${what} in a rollout that has failed`);
    const failed = new Set([...(now.failed.get(fleet.name) ?? []), ...(this.#fleets.get(fleet.name)?.failed ?? [])]);
    const open = started.find(({ outcome }) => outcome === undefined);
    if (open !== undefined) {
      if (!open.open.includes(id))
        this.#violate(`2: moves ${what} while wave ${open.name} is open, which it is not in`);
      const allowed = open === started[0] ? 0 : shareOf(strategy.maxFailures, tenantsOf(open).length);
      const failedHere = [...failed].filter((other) => tenantsOf(open).includes(other));
      if (failedHere.length > allowed)
        this.#violate(`6: moves ${what} after ${failedHere.length} of its wave have failed`);
      return;
    }
    const home = this.#fleets.get(fleet.name)?.homes.get(id) ?? new Set();
    if (isOfPlan && rollout.phase === "done") return; // one that was behind when all was done
    const isWhereItWas = tenant?.runs === undefined || home.has(tenant.runs) || tenant.runs === String(plan.release);
    const wasLeftByAnother = this.#fleets.get(fleet.name)?.moved.get(id)?.release === Number(tenant?.runs);
    if (!isWhereItWas && !wasLeftByAnother) {
      this.#violate(`10: moves ${what}, which runs ${tenant?.runs} by hand`);
    }
    if (started.length >= wavesOf(fleet).length) return; // the waves were shortened: those that are left catch up
    const next = nextWave(
      plan,
      started,
      wavesOf(fleet),
      (other) => this.#isToDo(fleet, plan.release, other),
      this.#fleets.get(fleet.name)?.assigned,
    );
    if (next === undefined) {
      this.#violate(`1: moves ${what}, and all waves have started`);
      return;
    }
    if (!next.allowed.has(id)) {
      this.#violate(`1: moves ${what}, and wave ${next.index + 1} has the tenants ${[...next.allowed]}`);
    }
    const wave = wavesOf(fleet)[next.index];
    const allowed = next.index === 0 ? 0 : shareOf(strategy.maxFailures, next.allowed.size);
    const failedHere = [...failed].filter((other) => next.allowed.has(other));
    if (failedHere.length > allowed)
      this.#violate(`6: moves ${what} after ${failedHere.length} of its wave have failed`);
    if (wave?.approval === "required" && !strategy.approved.includes(wave.name ?? "")) {
      this.#violate(`12: moves ${what} in wave ${wave.name}, which is not approved`);
    }
    if (!isInWindow(strategy, now.beganAt) && !isInWindow(strategy, this.#scene.now()))
      this.#violate(`12: moves ${what} in a wave that started outside the windows`);
  }

  /** Whether a wave has to do with a tenant: it is live, and was not on the target all along. */
  #isToDo({ name }: Fleet, release: number, id: number): boolean {
    const raw = this.#now?.raw.get(id);
    const isThere = raw?.runs === String(release) && this.#fleets.get(name)?.homes.get(id)?.has(raw.runs) === true;
    return raw?.isArchived !== true && !isThere;
  }

  /** Those on the target that were moved there and are not proven, the next one included. */
  async #judgeUnavailable(what: string, id: number, fleet: Fleet, { plan }: Stored, tenant?: RawTenant): Promise<void> {
    if (plan === undefined || tenant?.canRun === false) return;
    const remembered = this.#fleets.get(fleet.name);
    const unproven: number[] = [];
    for (const [other, { release, canRun }] of remembered?.moved ?? []) {
      const raw = other === id || !canRun || release !== plan.release ? undefined : await readOne(this.#scene, other);
      const isThere = raw?.canRun === true && !raw.isArchived && raw.runs === String(release);
      const isMember = [...plan.members, ...plan.newcomers].some(
        (member) => member.id === other && member.key !== undefined,
      );
      if (isThere && isMember && !this.#ledger.isProven(other, release)) unproven.push(other);
    }
    const members = plan.members.length + plan.newcomers.length;
    const limit = Math.max(1, shareOf(fleet.strategy.maxUnavailable, members));
    if (unproven.length + 1 > limit) {
      this.#violate(`5: moves ${what} while ${unproven} are moved and not proven, and the limit is ${limit}`);
    }
  }

  async #judgeSync(tenantId: number, fleet: Fleet, key: string | undefined): Promise<void> {
    const { strategy } = fleet;
    const now = this.#now;
    const what = `a sync of tenant ${tenantId} (${key})`;
    if (now === undefined) return;
    if (strategy.paused) this.#violate(`12: asks for ${what} while the rollout is paused`);
    if (isFrozen(strategy, now.beganAt) && isFrozen(strategy, this.#scene.now()))
      this.#violate(`12: asks for ${what} in a freeze`);
    const tenant = await readOne(this.#scene, tenantId);
    const isShown = this.#scene.variants.visibility === "immediate";
    if (tenant?.canRun === false && isShown) this.#violate(`gate: asks for ${what}, which is paused or not connected`);
    if (key !== undefined && (fleet.exclude.includes(key) || fleet.tenants.get(key)?.release !== undefined))
      this.#violate(`1: asks for ${what}, which is excluded or pinned`);
  }

  #judgeEnd(now: UnderWay, fleet: Fleet, after: Stored, raw: ReadonlyMap<number, RawTenant>, hasRun: boolean): void {
    const { plan, rollout } = after;
    if (plan === undefined || rollout === undefined) return;
    const before = now.before.get(fleet.name) ?? nothing;
    const remembered = this.#rememberedOf(fleet, after);
    for (const id of now.failed.get(fleet.name) ?? []) remembered.failed.add(id);
    if (rollout.planNumber !== plan.number) return;
    const wasSame = before.rollout?.planNumber === rollout.planNumber;
    const started = wasSame ? (before.rollout?.startedWaves ?? []) : [];
    const hasWork = (id: number) =>
      now.raw.get(id)?.isArchived === false && now.raw.get(id)?.runs !== String(rollout.release);
    const begun = rollout.startedWaves
      .slice(started.length)
      .filter((wave) => [...wave.open, ...wave.proven, ...wave.failed, ...wave.skipped.filter(hasWork)].length > 0);
    if (begun.length > 1) this.#violate(`2: ${fleet.name}: ${begun.length} waves began in one up`);
    if (begun.length > 0 && started.some(({ outcome }) => outcome === undefined))
      this.#violate(`2: ${fleet.name}: a wave began before the outcome of the last one was stored`);
    for (const [index, wave] of rollout.startedWaves.entries()) {
      const twice = tenantsOf(wave).filter((id, place, all) => all.indexOf(id) !== place);
      if (twice.length > 0) this.#violate(`1: ${fleet.name}: ${twice} are twice in wave ${wave.name}`);
      const wasProven = new Set(started[index]?.proven);
      for (const id of wave.proven) {
        if (!wasProven.has(id) && !this.#ledger.isProven(id, rollout.release))
          this.#violate(`3, 4: ${fleet.name}: tenant ${id} counts as proven on ${rollout.release} without a sync`);
        remembered.homes.set(id, new Set([...(remembered.homes.get(id) ?? []), String(rollout.release)]));
      }
      const had = started[index] === undefined ? [] : tenantsOf(started[index]);
      const came = tenantsOf(wave).filter(
        (id) => !had.includes(id) && now.raw.get(id)?.runs !== String(rollout.release),
      );
      if (rollout.direction === "forward") this.#judgeMembership(fleet, after, index, came);
    }
    const isEnd = hasRun && rollout.phase === "done" && !(wasSame && before.rollout?.phase === "done");
    if (isEnd && rollout.direction === "forward") this.#judgeFinished(fleet, after, raw);
    if (isEnd && rollout.direction === "back") this.#judgeTakenBack(fleet, after, raw);
  }

  /**
   * A tenant that the rollout began with is in the wave that it was in from the start.
   *
   * @param came Those of the wave that came to it now. One that is on the release already, by hand or by a rollout before,
   * is not among them: it is proven with the wave that comes first.
   */
  #judgeMembership(fleet: Fleet, { plan, rollout }: Stored, index: number, came: readonly number[]): void {
    const assigned = this.#fleets.get(fleet.name)?.assigned;
    const wave = rollout?.startedWaves[index];
    if (assigned === undefined || wave === undefined || wave.name === "stragglers") return;
    const present = new Set(plan?.members.flatMap(({ key, id }) => (key === undefined ? [] : [id])));
    for (const id of came) {
      const expected = assigned.get(id);
      const isJoined = expected === undefined || !present.has(id);
      if (!isJoined && expected !== index)
        this.#violate(`9: ${fleet.name}: tenant ${id} is in wave ${index + 1}, and belongs to ${expected + 1}`);
    }
  }

  #judgeFinished(fleet: Fleet, { plan, rollout }: Stored, raw: ReadonlyMap<number, RawTenant>): void {
    const remembered = this.#fleets.get(fleet.name);
    if (plan === undefined || rollout === undefined || remembered === undefined) return;
    for (const { id, key } of [...plan.members, ...plan.newcomers]) {
      const tenant = raw.get(id);
      if (key === undefined || tenant === undefined || tenant.isArchived) continue;
      const isNamed = this.#scene.messages.some((message) => message.includes(String(id)) || message.includes(key));
      const isKnown = Object.hasOwn(rollout.reasons, String(id)) || isNamed;
      if (tenant.runs !== String(rollout.release) && !isKnown)
        this.#violate(`11: ${fleet.name}: all is done, and ${key} (${id}) is left behind on ${tenant.runs}, unnamed`);
      if (tenant.runs === String(rollout.release)) remembered.homes.set(id, new Set([tenant.runs]));
      if (remembered.moved.get(id)?.release === rollout.release) remembered.moved.delete(id);
    }
    remembered.targets.clear();
  }

  #judgeTakenBack(fleet: Fleet, { plan, rollout }: Stored, raw: ReadonlyMap<number, RawTenant>): void {
    const remembered = this.#fleets.get(fleet.name);
    if (plan === undefined || rollout === undefined || remembered === undefined) return;
    for (const { id, key } of [...plan.members, ...plan.newcomers]) {
      const tenant = raw.get(id);
      const isMoved = remembered.moved.has(id) && !remembered.byHand.has(id);
      if (key === undefined || tenant === undefined || tenant.isArchived || !isMoved) continue;
      const home = remembered.homes.get(id) ?? new Set();
      const isKnown = Object.hasOwn(rollout.reasons, String(id));
      if (!home.has(tenant.runs ?? "") && !isKnown)
        this.#violate(`10: ${fleet.name}: all is back, and ${key} (${id}) runs ${tenant.runs}, not ${[...home]}`);
    }
    remembered.moved.clear();
    remembered.byHand.clear();
    remembered.targets.clear();
  }

  #judgeUnchangedPlan({ name }: Fleet, before: Stored, after: Stored): void {
    if (JSON.stringify(before.plan) !== JSON.stringify(after.plan))
      this.#violate(`a refresh or preview changed the plan of ${name}`);
  }

  /** Whether a tenant's move is on the way back: to what it ran before, not to a new target. */
  #isWayBack({ name, strategy }: Fleet, { plan, rollout }: Stored, to: string): boolean {
    const isOfPlan = rollout !== undefined && rollout.planNumber === plan?.number;
    if (isOfPlan && rollout.direction === "back") return true;
    if (isOfPlan && rollout.phase === "failed" && strategy.onFailure === "rollback")
      return to !== String(plan?.release);
    const hasMoved = [...(this.#fleets.get(name)?.moved.values() ?? [])].some(
      ({ release }) => release !== plan?.release,
    );
    return !isOfPlan && rollout !== undefined && rollout.finished === plan?.release && hasMoved;
  }

  #rememberedOf(fleet: Fleet, { plan, rollout }: Stored): Remembered {
    const known: Remembered = this.#fleets.get(fleet.name) ?? {
      ...{ plan: 0, assigned: undefined, wavesText: waveText(fleet) },
      ...{ homes: new Map(), moved: new Map(), byHand: new Set(), failed: new Set(), targets: new Set() },
    };
    this.#fleets.set(fleet.name, known);
    if (plan === undefined) return known;
    if (plan.number !== known.plan) {
      known.plan = plan.number;
      known.assigned = assignment(plan, wavesOf(fleet));
      known.failed.clear();
    }
    const raw = this.#now?.raw;
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

  #noteWaves(fleet: Fleet): void {
    const known = this.#fleets.get(fleet.name);
    if (known === undefined || known.wavesText === waveText(fleet)) return;
    known.wavesText = waveText(fleet);
    known.assigned = undefined;
  }

  /** The fleet that declares a tenant, and its key there. */
  #ownerOf(tenantId: number): [Fleet, string] | undefined {
    const raw = this.#now?.raw.get(tenantId);
    for (const fleet of this.#now?.declared ?? []) {
      const { tenantIds } = storedOf(this.#scene.stack.state, fleet.name);
      for (const [key, { name, alias }] of fleet.tenants) {
        const id = tenantIds.get(key) ?? tenantIds.get(alias ?? "");
        if (id === tenantId || (id === undefined && raw?.name === name)) return [fleet, key];
      }
    }
    return undefined;
  }

  #stored(declared: Declared): Map<string, Stored> {
    return new Map(declared.map(({ name }) => [name, storedOf(this.#scene.stack.state, name)]));
  }

  /** Whether all stored tenants are live: the next refresh finds an archived one, and it is made anew. */
  #isNobodyGone({ before, raw }: UnderWay): boolean {
    return [...before.values()].every(({ tenantIds }) =>
      [...tenantIds.values()].every((id) => raw.get(id)?.isArchived === false),
    );
  }

  #violate(message: string): void {
    this.#violations.push(message);
  }
}

const nothing: Stored = { tenantIds: new Map(), plan: undefined, rollout: undefined };

/** Whether all rollouts are done, and nobody is behind. */
function isAllDone(stored: ReadonlyMap<string, Stored>, raw: ReadonlyMap<number, RawTenant>): boolean {
  return [...stored.values()].every(({ rollout, plan }) => {
    const members = [...(plan?.members ?? []), ...(plan?.newcomers ?? [])].filter(({ key }) => key !== undefined);
    const isThere = (id: number) => raw.get(id)?.isArchived !== false || raw.get(id)?.runs === String(plan?.release);
    const isEverybodyThere = rollout?.direction === "back" || members.every(({ id }) => isThere(id));
    return rollout?.phase === "done" && rollout.planNumber === plan?.number && isEverybodyThere;
  });
}

function waveText(fleet: Fleet): string {
  return JSON.stringify(wavesOf(fleet));
}

/** The calls of a process that change something. */
function worksIn(trace: ProcessTrace): string[] {
  return trace.flatMap((event) =>
    "begin" in event && ["create", "update", "delete"].includes(event.method)
      ? [`${event.method} ${event.type} ${event.of}`]
      : [],
  );
}
