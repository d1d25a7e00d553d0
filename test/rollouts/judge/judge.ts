import type { Declared } from "../declared.ts";
import type { Exchange } from "../gate.ts";
import { readAll, readOne } from "../raw-tenant.ts";
import { isSync } from "../runs.ts";
import type { Played, Scene } from "../scene.ts";
import { isAllDone, judgeWithoutWork } from "./all-done.ts";
import { type Case, ownerOf } from "./case.ts";
import { judgeEnd, judgeUnchangedPlan } from "./end.ts";
import { type Stored, storedOf } from "./exported.ts";
import { Ledger } from "./ledger.ts";
import { Memory } from "./memory.ts";
import { judgePatch } from "./moves.ts";
import { judgeSync } from "./syncs.ts";

/** Judges from outside whether a rollout keeps its promises: from requests, responses and exported states. */
export class Judge {
  readonly #scene: Scene;
  readonly #ledger = new Ledger();
  readonly #memory = new Memory();
  readonly #violations: string[] = [];
  /** The command under way. */
  #now: Case | undefined;
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
    this.#memory.noteChangeByHand(releaseOf);
  }

  async begin(declared: Declared, kind: Case["kind"], isDisturbed: boolean): Promise<void> {
    this.#now = {
      ...{ scene: this.#scene, ledger: this.#ledger, memory: this.#memory },
      ...{ declared, kind, isDisturbed },
      before: this.#stored(declared),
      raw: await readAll(this.#scene),
      beganAt: this.#scene.now(),
      failed: new Map(),
      writes: 0,
      moving: undefined,
      violate: (message) => void this.#violations.push(message),
    };
    for (const fleet of declared) this.#memory.noteWaves(fleet);
  }

  async before(exchange: Exchange): Promise<void> {
    const { method, path, tenantId } = exchange;
    const now = this.#now;
    if (now === undefined || method === "GET") return;
    now.writes += 1;
    if (now.kind !== "up") now.violate(`12: a ${now.kind} sent ${method} ${path}`);
    if (tenantId === undefined) return;
    const [fleet, key] = ownerOf(now, tenantId) ?? [];
    if (method === "PATCH") await judgePatch(now, exchange, tenantId, fleet, key);
    if (method === "POST" && isSync(path) && fleet !== undefined) await judgeSync(now, tenantId, fleet, key);
  }

  async after(exchange: Exchange): Promise<void> {
    await this.#noteMove();
    const failed = this.#ledger.note(exchange);
    const now = this.#now;
    if (failed === undefined || now === undefined) return;
    const [fleet] = ownerOf(now, failed.tenantId) ?? [];
    if (fleet === undefined) return;
    const target = storedOf(this.#scene.stack.state, fleet.name).plan?.release;
    if (failed.shown !== String(target)) return;
    now.failed.set(fleet.name, new Set(now.failed.get(fleet.name)).add(failed.tenantId));
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
      const after = storedOf(this.#scene.stack.state, fleet.name);
      if (now.kind !== "up") judgeUnchangedPlan(now, fleet, after);
      else if (!played.isKilled) judgeEnd(now, fleet, after, raw, played.errors.length === 0);
    }
    if (now.kind === "up") {
      const program = JSON.stringify(now.declared, (_, value) => (value instanceof Map ? [...value] : value));
      if (this.#quiet === program) judgeWithoutWork(now, played);
      this.#quiet = !now.isDisturbed && played.errors.length === 0 ? program : undefined;
    }
    return this.#violations.splice(0);
  }

  /** A move counts once the platform has applied it, whatever it answered. */
  async #noteMove(): Promise<void> {
    const now = this.#now;
    if (now?.moving === undefined) return;
    const { fleet, tenantId, ...move } = now.moving;
    now.moving = undefined;
    if ((await readOne(this.#scene, tenantId))?.runs !== String(move.release)) return;
    this.#memory.noteMove(fleet, tenantId, move);
  }

  #stored(declared: Declared): Map<string, Stored> {
    return new Map(declared.map(({ name }) => [name, storedOf(this.#scene.stack.state, name)]));
  }
}
