import type { Done } from "../deeds.ts";
import type { Outcome } from "../engine/stack.ts";
import type { Model } from "../model.ts";
import type { Command, Program } from "../program.ts";
import { type RawTenant, readStore, readTenant } from "../raw-store.ts";
import { integrationIds, type Scene } from "../scene.ts";
import { archivesOnlyWhatWasRemoved, archivesWhatWasRemoved } from "./archived.ts";
import { type Case, declaredPaths, type Rule } from "./case.ts";
import { failsInWords, succeedsWhereItCan, tellsNoSecret } from "./describe.ts";
import { declaresEachTenantOnce, keepsOneTenantEach, syncsOnlyWhatIsDue } from "./duplicates.ts";
import { type Holder, holdersIn, metadataKeysIn, placeNow, resourceOf, slotNow } from "./holders.ts";
import { mayFail } from "./reasons-to-fail.ts";
import { leavesAloneWhatIsNotDeclared, successIsTrue } from "./values.ts";

const rules: Readonly<Record<string, Rule>> = {
  archivesOnlyWhatWasRemoved,
  archivesWhatWasRemoved,
  keepsOneTenantEach,
  declaresEachTenantOnce,
  leavesAloneWhatIsNotDeclared,
  successIsTrue,
  syncsOnlyWhatIsDue,
  tellsNoSecret,
  failsInWords,
  succeedsWhereItCan,
};

/**
 * Knows the declarations and the external changes, reads what the platform stores, and reports violations. It uses no
 * code of the product.
 */
export class Judge {
  readonly #scene: Scene;
  readonly #touched = new Map<number, Set<string>>();
  #drifted = new Map<number, ReadonlySet<string>>();
  /** The external changes during the command, which its refresh may not have seen. */
  #driftedMeanwhile = new Map<number, ReadonlySet<string>>();
  readonly #installed = new Set<number>();
  readonly #retained = new Set<number>();
  #installedMeanwhile = new Set<number>();
  #before = new Map<number, RawTenant>();
  #heldBefore: Holder[] = [];
  #begun: { model: Model; program: Program; command: Command; isDisturbed: boolean } | undefined;
  /** The last applied program, until an event that may make it fail. */
  #applied: string | undefined;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Records an external change before or during a command. */
  async noteDeed(done: Done | undefined): Promise<void> {
    if (done === undefined) return;
    const { id, path, json, isNew } = done;
    if (isNew) {
      this.#installed.add(id);
      this.#installedMeanwhile.add(id);
      this.#applied = undefined;
    } else {
      for (const drifted of [this.#drifted, this.#driftedMeanwhile])
        drifted.set(id, new Set([...(drifted.get(id) ?? []), path]));
    }
    if (json?.startsWith('"***')) this.#applied = undefined; // as if the platform hid it
    const tenant = isNew ? await readTenant(this.#scene, id) : this.#before.get(id);
    if (tenant !== undefined) this.#before.set(id, isNew ? tenant : changed(tenant, path, json));
  }

  async begin(model: Model, program: Program, command: Command, isDisturbed: boolean): Promise<void> {
    this.#before = await readStore(this.#scene);
    this.#heldBefore = holdersIn(this.#scene.stack.state);
    this.#installedMeanwhile = new Set();
    this.#driftedMeanwhile = new Map();
    this.#begun = { model, program, command, isDisturbed };
    this.#scene.emulator.clearRequests();
  }

  /** The violations after the command. */
  async end(outcome: Outcome): Promise<string[]> {
    if (this.#begun === undefined) throw new Error("no command has begun");
    const { model, program, command, isDisturbed } = this.#begun;
    const { state } = this.#scene.stack;
    const succeeds = outcome.errors.length === 0;
    const after = await readStore(this.#scene);
    const heldAfter = holdersIn(state);
    this.#touchMetadata();
    const text = JSON.stringify(program);
    const context: Omit<Case, "mustSucceed"> = {
      command,
      model,
      outcome,
      succeeds,
      warnings: this.#scene.warnings,
      before: this.#before,
      after,
      heldBefore: this.#heldBefore,
      heldAfter,
      stateAfter: state,
      touched: this.#touched,
      drifted: this.#drifted,
      installed: this.#installed,
      installedMeanwhile: this.#installedMeanwhile,
      retained: this.#retained,
      syncs: this.#syncs(),
      variants: this.#scene.variants,
      integrationIds,
    };
    const isApplied = text === this.#applied;
    const of: Case = { ...context, mustSucceed: !isDisturbed && !mayFail({ ...context, isApplied }) };
    const violations = Object.entries(rules).flatMap(([name, rule]) => rule(of).map((found) => `${name}: ${found}`));
    this.#remember(of, text);
    return violations;
  }

  #remember({ command, succeeds, model, heldAfter, after, warnings }: Case, program: string): void {
    const held = new Set(heldAfter.map(({ id }) => id));
    // for another place that declares its name, which may have failed
    const isSpared = (id: number) => warnings.some((warning) => warning.includes(`(id ${id}) is not archived`));
    const left = this.#heldBefore.filter(
      ({ id, isRetained }) => (isRetained || isSpared(id)) && !held.has(id) && after.get(id)?.isArchived === false,
    );
    for (const { id } of left) this.#retained.add(id);
    for (const { id } of heldAfter) this.#retained.delete(id);
    const isApplied = succeeds && command.kind === "up" && command.target === undefined;
    const takenOver = this.#heldBefore.filter(({ id }) => isTakenOver(id, model, this.#heldBefore, heldAfter));
    if (isApplied) this.#touched.clear();
    for (const { id } of takenOver) this.#touched.delete(id); // what the former resource declared stays
    const stillHeld = isApplied ? [] : this.#heldBefore.filter((holder) => !takenOver.includes(holder));
    for (const { id, place } of [...heldAfter, ...stillHeld]) {
      const slot = slotNow(model, place);
      if (slot !== undefined) this.#touch(id, declaredPaths(slot.settings));
    }
    for (const { id } of left) this.#touched.delete(id); // whoever takes it over finds values that nobody declares
    this.#touchMetadata();
    const hasLooked = command.kind === "refresh" || (command.kind === "up" && command.refresh === true);
    if (hasLooked && succeeds) this.#drifted = this.#driftedMeanwhile;
    if (command.kind === "up") this.#applied = isApplied ? program : undefined;
    if (command.kind === "destroy") this.#applied = undefined;
  }

  #touchMetadata(): void {
    for (const { id, keys } of metadataKeysIn(this.#scene.stack.state)) {
      this.#touch(
        id,
        keys.map((key) => `metadata.${key}`),
      );
    }
  }

  #touch(id: number, paths: readonly string[]): void {
    this.#touched.set(id, new Set([...(this.#touched.get(id) ?? []), ...paths]));
  }

  #syncs(): number[] {
    return this.#scene.emulator.requests().flatMap(({ method, path }) => {
      const id = method === "POST" ? /^\/v2\/tenants\/(\d+)\/sync$/.exec(path)?.[1] : undefined;
      return id === undefined ? [] : [Number(id)];
    });
  }
}

function changed(tenant: RawTenant, path: string, json: string | undefined): RawTenant {
  const [part = "", ...rest] = path.split(".");
  if (path === "archived") return { ...tenant, isArchived: true };
  if (path === "connected") return { ...tenant, isConnected: true };
  if (json === undefined) return tenant;
  if (part === "configs" || part === "metadata")
    return { ...tenant, [part]: { ...tenant[part], [rest.join(".")]: json } };
  return { ...tenant, fields: { ...tenant.fields, [path]: json } };
}

/** Whether the tenant is now in a resource to which no alias has moved it. A fleet may have it under another key. */
function isTakenOver(id: number, model: Model, before: readonly Holder[], after: readonly Holder[]): boolean {
  const placesIn = (holders: readonly Holder[]) => holders.filter((one) => one.id === id).map(({ place }) => place);
  const former = new Set(placesIn(before).flatMap((place) => [place, placeNow(model, place) ?? place].map(resourceOf)));
  const now = placesIn(after).map(resourceOf);
  return now.length > 0 && !now.some((resource) => former.has(resource));
}
