import type { Command } from "../model/program.ts";
import { ViolationError } from "../stories/find-failure.ts";
import { type Declared, type Fleet, isTag, openStrategy, programOf } from "./declared.ts";
import { perform } from "./deeds.ts";
import { applyEdit, withoutAliases } from "./edits.ts";
import type { Kill } from "./gate.ts";
import { storedOf } from "./judge/exported.ts";
import { Judge } from "./judge/judge.ts";
import { readOne } from "./raw-tenant.ts";
import { createRuns, type Runs } from "./runs.ts";
import { connectorName, type Played, releaseId, type Scene, type Tag, tags } from "./scene.ts";
import type { Edit, Ending, Step, Story } from "./story.ts";

/**
 * Plays a story. Throws at the first step that violates an invariant, and if the rollouts do not end after it.
 *
 * @returns what happened, for people.
 */
export async function play(scene: Scene, story: Story, passedOver: readonly string[] = []): Promise<string> {
  const player = new Player(scene, passedOver);
  await player.setUp(story);
  for (const step of story.steps) await player.step(step);
  await player.comesToAnEnd();
  return player.log;
}

/** How many `up`s a rollout may take once nothing holds it up. */
const upsMaximum = 25;

/** Runs the commands of a story under the eyes of the judge. */
export class Player {
  readonly #scene: Scene;
  readonly #passedOver: readonly string[];
  readonly #judge: Judge;
  readonly #runs: Runs;
  readonly #log: string[] = [];
  #declared: Declared = [];

  constructor(scene: Scene, passedOver: readonly string[]) {
    this.#scene = scene;
    this.#passedOver = passedOver;
    this.#judge = new Judge(scene);
    this.#runs = createRuns(scene);
    scene.gate.watch = {
      before: async (exchange) => {
        await scene.advance(1);
        await this.#runs.before(exchange);
        await this.#judge.before(exchange);
      },
      after: async (exchange) => {
        const replacement = await this.#runs.after(exchange);
        await this.#judge.after({
          ...exchange,
          ...(replacement && { status: replacement.status, answer: replacement.body }),
        });
        return replacement;
      },
    };
  }

  get log(): string {
    return this.#log.join("\n");
  }

  /** Brings all fleets to their first release, in a rollout that nothing holds up. */
  async setUp({ fleets }: Story): Promise<void> {
    const named = fleets.map((fleet, index) => ({ ...fleet, name: index === 0 ? ("f1" as const) : ("f2" as const) }));
    this.#unconnected = new Set(
      named.flatMap(({ name, unconnected }) => unconnected.map((number) => `${name}-k${number}`)),
    );
    this.#declared = named.map(({ name, tenants, pinned, excluded }): Fleet => {
      const keys = Array.from({ length: tenants }, (_, index) => `k${index}`);
      const isPinned = (index: number) => index > 0 && pinned.includes(index);
      return {
        name,
        integration: name === "f1" ? "crm" : "shop",
        tenants: new Map(
          keys.map((key, index) => [
            key,
            { name: `${name}-${key}`, ...(isPinned(index) ? { release: "v1" as const } : {}) },
          ]),
        ),
        exclude: keys.filter((_, index) => index > 1 && !isPinned(index) && excluded.includes(index)),
        target: "v1",
        attempt: 1,
        strategy: openStrategy,
      };
    });
    await this.#untilDone("the first release");
    this.#declared = this.#declared.map((fleet, index) => ({
      ...fleet,
      strategy: fleets[index]?.strategy ?? openStrategy,
    }));
  }

  async step({ fleet: index, edits, deeds, advanceSeconds, fault, kill, command }: Step): Promise<void> {
    const place = index % this.#declared.length;
    this.#declared = this.#declared.map((fleet, other) =>
      other === place ? edits.reduce((edited, edit) => applyEdit(edited, edit, this.#finishedOf(fleet)), fleet) : fleet,
    );
    await this.#scene.advance(advanceSeconds);
    const fleet = this.#declared[place];
    for (const deed of fleet === undefined ? [] : deeds) {
      const { tenantIds } = storedOf(this.#scene.stack.state, fleet?.name ?? "");
      const where = { ids: [...tenantIds.values()], integration: fleet?.integration ?? "crm" };
      this.#judge.noteDeed(await perform(this.#scene, this.#runs, deed, where));
    }
    if (fault) this.#scene.emulator.fault(fault);
    const kind = command === "up --refresh" ? "up" : command;
    await this.#run({ kind, refresh: command === "up --refresh" }, kill, fault !== undefined || kill !== undefined);
    this.#scene.emulator.clearFaults();
    const told = JSON.stringify({ edits, deeds, advanceSeconds, fault, kill, command });
    await this.#throwIfViolated(told);
  }

  /** Once nothing holds the rollouts up, they end. */
  async comesToAnEnd(): Promise<void> {
    this.#runs.clear();
    this.#judge.noteDeed(undefined);
    this.#declared = this.#declared.map((fleet) => ({
      ...fleet,
      attempt: fleet.attempt + 1,
      strategy: {
        ...openStrategy,
        waves: fleet.strategy.waves,
        maxUnavailable: fleet.strategy.maxUnavailable,
        maxFailures: "100%",
      },
    }));
    await this.#scene.advance(1000);
    await this.#untilDone("the end");
    await this.#run({ kind: "up" }, undefined, false);
    await this.#throwIfViolated("an up after the end");
  }

  /** Changes the first fleet. */
  edit(edits: readonly Edit[]): void {
    this.#declared = this.#declared.map((fleet, index) =>
      index === 0 ? edits.reduce((edited, edit) => applyEdit(edited, edit, this.#finishedOf(fleet)), fleet) : fleet,
    );
  }

  /** How the runs of a release end. */
  endRuns(tag: Tag, ending: Ending): void {
    const [fleet] = this.#declared;
    if (fleet !== undefined) this.#runs.set(String(releaseId(fleet.integration, tag)), undefined, ending);
  }

  /** Runs an `up` of all fleets, and judges it. */
  async up(kill?: Kill): Promise<Played> {
    const played = await this.#run({ kind: "up" }, kill, kill !== undefined);
    await this.#throwIfViolated(JSON.stringify({ up: kill }));
    await this.#scene.advance(3600);
    return played;
  }

  async #untilDone(what: string): Promise<void> {
    for (let count = 0; count < upsMaximum; count += 1) {
      await this.#run({ kind: "up" }, undefined, false);
      await this.#throwIfViolated(`${what}, up ${count + 1}`);
      if (await this.#judge.isAllDone(this.#declared)) return;
      await this.#scene.advance(3600);
    }
    throw new ViolationError(`${this.log}\nno end after ${upsMaximum} ups that nothing held up`);
  }

  async #run(command: Command, kill: Step["kill"], isDisturbed: boolean): Promise<Played> {
    const kind = command.kind === "destroy" ? "up" : command.kind;
    await this.#judge.begin(this.#declared, kind, isDisturbed);
    const played = await this.#scene.run(programOf(this.#declared), command, kill);
    this.#findings = await this.#judge.end(played);
    await this.#connectNewTenants();
    if (kind === "up" && played.errors.length === 0) this.#declared = this.#declared.map(withoutAliases);
    const stands = this.#declared.map((fleet) => {
      const { rollout, plan } = storedOf(this.#scene.stack.state, fleet.name);
      return `${fleet.name} to ${fleet.target}/${fleet.attempt}: plan ${plan?.number}, ${rollout?.phase}, ${rollout?.status}`;
    });
    this.#outcome = [...played.errors, ...stands, ...this.#scene.messages.map((message) => `warning: ${message}`)];
    return played;
  }

  /** The users of new tenants connect them, once these are in the state: until then an `up` takes them over as they are. */
  async #connectNewTenants(): Promise<void> {
    const stored = this.#declared.flatMap(({ name }) => [
      ...storedOf(this.#scene.stack.state, name).tenantIds.values(),
    ]);
    for (const id of stored.filter((candidate) => !this.#known.has(candidate))) {
      this.#known.add(id);
      const tenant = await readOne(this.#scene, id);
      if (tenant === undefined || this.#unconnected.has(tenant.name)) continue;
      await this.#scene.call("POST", `/_emulator/tenants/${id}/connectors/${connectorName}`, { status: "connected" });
    }
  }

  readonly #known = new Set<number>();
  #unconnected: ReadonlySet<string> = new Set();
  #findings: readonly string[] = [];
  #outcome: readonly string[] = [];

  async #throwIfViolated(told: string): Promise<void> {
    this.#log.push(`${told}\n    ${this.#outcome.join("\n    ")}`);
    const violations = this.#findings.filter((found) => !this.#passedOver.some((text) => found.includes(text)));
    if (violations.length > 0) throw new ViolationError(`${this.log}\n${violations.join("\n")}`);
  }

  #finishedOf({ name, integration }: Fleet): Tag | undefined {
    const { rollout } = storedOf(this.#scene.stack.state, name);
    const tag = tags.find((candidate) => releaseId(integration, candidate) === rollout?.finished);
    return isTag(tag) ? tag : undefined;
  }
}
