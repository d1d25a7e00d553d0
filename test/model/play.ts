import { ViolationError } from "../stories/find-failure.ts";
import { perform } from "./deeds.ts";
import { applyEdit } from "./edits.ts";
import { holdersIn } from "./judge/holders.ts";
import { Judge } from "./judge/judge.ts";
import { emptyModel, type Model, programOf } from "./model.ts";
import { type Command, type Program, resourceKey } from "./program.ts";
import { readStore } from "./raw-store.ts";
import type { Scene } from "./scene.ts";
import type { Deed, Step, Story } from "./story.ts";

/** Longer than any variant of the platform keeps a change from its readers. */
const longestLagSeconds = 10;

/** Plays a story on a platform. Throws at the first step that violates an invariant. */
export async function play(scene: Scene, story: Story, passedOver: readonly string[] = []): Promise<void> {
  const judge = new Judge(scene);
  let model: Model = emptyModel;
  const log: string[] = [];
  let wasDisturbed = false;
  for (const [index, step] of story.entries()) {
    const ids = [...(await readStore(scene)).keys()];
    const places = new Set(holdersIn(scene.stack.state).map(({ place }) => place));
    model = step.edits.reduce((before, edit) => applyEdit(before, edit, { ids, places }), model);
    const program = programOf(model);
    const command = commandOf(step, scene, program);
    for (const deed of step.before) await judge.noteDeed(await perform(scene, deed));
    // no command can see what lists do not show yet
    if (wasDisturbed || step.before.length > 0) await scene.emulator.advance({ seconds: longestLagSeconds });
    const isDisturbed = step.fault !== undefined || step.meanwhile.length > 0;
    await judge.begin(model, program, command, isDisturbed);
    if (step.fault) scene.emulator.fault(step.fault);
    scene.warnings.length = 0;
    scene.meanwhile = meanwhile(scene, judge, step.meanwhile);
    const outcome = await scene.stack.run(program, command);
    scene.emulator.clearFaults();
    scene.meanwhile = undefined;
    if (command.kind === "destroy" && outcome.errors.length === 0) model = emptyModel;
    log.push(
      `step ${index}: ${describe(command)} of ${JSON.stringify(program)}: ${outcome.errors.join(" | ") || "success"}`,
    );
    wasDisturbed = isDisturbed || outcome.errors.length > 0;
    const violations = (await judge.end(outcome)).filter((found) => !passedOver.some((text) => found.includes(text)));
    if (violations.length > 0) throw new ViolationError(`${log.join("\n")}\n${violations.join("\n")}`);
  }
}

function commandOf({ command }: Step, scene: Scene, program: Program): Command {
  const { kind, refresh, preview, replace, target } = command;
  const stored = [...scene.stack.state.keys()].filter((key) => key.startsWith("Tenant"));
  const declared = program.map(resourceKey);
  const replaced = stored[(replace ?? 0) % Math.max(1, stored.length)];
  const targeted = declared[(target ?? 0) % Math.max(1, declared.length)];
  return {
    kind,
    // on the native provider the engine reads each resource before it changes it
    refresh: kind === "destroy" || kind === "refresh" ? false : refresh || scene.provider === "native",
    preview,
    ...(replace !== undefined && replaced !== undefined && declared.includes(replaced) ? { replace: [replaced] } : {}),
    ...(target !== undefined && replace === undefined && kind === "up" && targeted !== undefined
      ? { target: [targeted] }
      : {}),
  };
}

/** The external changes at the first create or update of a command. */
function meanwhile(scene: Scene, judge: Judge, deeds: readonly Deed[]): () => Promise<void> {
  let isDone = deeds.length === 0;
  return async () => {
    if (isDone) return;
    isDone = true;
    for (const deed of deeds) await judge.noteDeed(await perform(scene, deed));
  };
}

function describe({ kind, refresh, preview, replace = [], target = [] }: Command): string {
  const options = [
    refresh && "--refresh",
    preview && "with preview",
    ...replace.map((key) => `--replace ${key}`),
    ...target.map((key) => `--target ${key}`),
  ];
  return [kind, ...options.filter((option) => option !== false && option !== undefined)].join(" ");
}
