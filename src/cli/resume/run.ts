import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Tenant } from "../../api/index.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { nameInProject, type Project } from "../../stack/yaml/project.ts";
import type { FailedTenant } from "../pause/pause-result.ts";
import {
  type HandedOverTenant,
  type NotedTenant,
  notedSelection,
  noteWithout,
  type PauseNote,
  runningAtFirst,
  type SelectionKey,
  withSelection,
} from "../pause-note/note.ts";
import {
  doneNotes,
  finishNote,
  notePath,
  readNote,
  withNoteLock,
  withNoteLocks,
  writeNote,
} from "../pause-note/note-file.ts";
import { freshTenants, type Outcome, setPaused, unseenTenants } from "../paused-state/set-paused.ts";
import { printToStandardError, type Shell, shownPath } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { projectOfChoice, stackFilesOf } from "../stack-file.ts";
import { changeStacks, planStacks, showStack } from "../stack-overrides/stack-changes.ts";
import { unrecordedResume } from "../stack-overrides/unrecorded.ts";
import { CommandError, type ExitCode, exitCodes } from "../subcommand.ts";
import { connectionOf } from "../tenants/connection-of.ts";
import { integrationKey } from "../tenants/find-integration.ts";
import { nobodySelected, selectTenants } from "../tenants/select-tenants.ts";
import { withProgress } from "../terminal.ts";
import { type CommandContext, withPlatform } from "../with-platform.ts";
import { handOver, heldByOverrides, notedElsewhere } from "./other-incidents.ts";
import { renderJson, renderText } from "./render.ts";
import type { ResumeResult } from "./resume-result.ts";

/** Which of the noted tenants are brought back, and what is written. */
export interface ResumeOptions extends StackChoice {
  /** Name or id of the integration, or `all`. */
  integration: string;
  where?: string | undefined;
  /** Default: `integration-platform-pause.json` in the folder of the project. */
  note?: string | undefined;
  /** Whether overrides are removed from the stacks' files. */
  override: boolean;
  dryRun?: true | undefined;
  json?: true | undefined;
}

/** Brings back what `pause` has noted as running, and prints what was done and what is left to do. */
export async function runResume(shell: Shell, options: ResumeOptions): Promise<ExitCode> {
  const result = await withPlatform(shell, (context) => resume(context, options), connectionOf(options));
  shell.stdout.write(options.json ? renderJson(shell, result) : renderText(shell, result));
  if (result.unrecorded.length > 0)
    printToStandardError(shell, unrecordedResume(result, options.override && !result.isDryRun));
  const isLeft =
    options.override &&
    ((result.unrecorded.length > 0 && !result.isDryRun) ||
      result.stacks.some(
        ({ outcome, ...stack }) =>
          outcome === "failed" || [stack.unnamed, stack.uncovered, stack.mayPauseAgain].flat().length > 0,
      ));
  // what waits for its customer is no failure of the command
  return result.failed.some(({ isWaiting }) => isWaiting !== true) || isLeft ? exitCodes.failure : exitCodes.success;
}

async function resume(context: CommandContext, options: ResumeOptions): Promise<ResumeResult> {
  const { dryRun = false, override: isWriting } = options;
  const { shell } = context;
  const project = projectOfChoice(shell, options);
  const path = notePath(shell, project, options.note);
  const platform = context.client.baseUrl;
  const before = await readNote(path, platform);
  if (before === undefined) return nothingNoted(shell, path, project);
  if (isWriting) requireFiles(before, project);
  if (before.unverified.length > 0 && !dryRun) await waitForLists(context);

  const integration = await integrationKey(context, options.integration);
  const selection = { command: "resume", integration, where: options.where } as const;
  const part = await notedPart(context, before, options, selection);
  const listed = await liveTenants(context, part);
  const unseen = await unseenTenants(
    context,
    part.filter(({ id }) => !listed.has(id)),
  );
  const live = new Map([...unseen.live, ...listed]);
  const toResume = part.filter(({ wasPaused }) => !wasPaused);
  const stillPaused = toResume.filter(({ id }) => live.get(id)?.paused === true);
  const covered = await heldByOverrides(context, project, before, stillPaused);
  const handedOver = await notedElsewhere(context, path, before, stillPaused);
  // they stay as they are, but an override that ends may have kept them paused
  const pausedBefore = part.filter(({ id, wasPaused }) => wasPaused && live.get(id)?.paused === true);
  const pausedForOthers = await notedElsewhere(context, path, before, pausedBefore);
  const elsewhere = idsOf(handedOver);
  const held = new Map([...covered].filter(([id]) => !elsewhere.has(id)));
  const paused = stillPaused.filter(({ id }) => !held.has(id) && !elsewhere.has(id));
  const known = new Map<number, Outcome>([...unseen.outcomes, ...held]);
  const found = {
    isDryRun: dryRun,
    path,
    note: before,
    project,
    wasPaused: part.filter(({ id, wasPaused }) => wasPaused && live.has(id)),
    running: toResume.filter(({ id }) => live.get(id)?.paused === false),
  };
  if (dryRun) {
    const failed = failuresOf(part, known);
    const left = idsOf(failed);
    const done = part.filter(({ id }) => !left.has(id));
    const note = noteWithout(before, idsOf(done));
    const resumed = done.filter(({ id }) => !elsewhere.has(id));
    const ofOthers = [...handedOver, ...pausedForOthers];
    const { plans, unrecorded } = await planStacks(project, noteWithout(note, held), context, { resumed, ofOthers });
    const archived = part.filter(({ id }) => unseen.outcomes.get(id)?.kind === "archived");
    return {
      ...found,
      resumed: paused,
      archived,
      handedOver,
      failed,
      canRetry: false,
      left: note.tenants,
      stacks: plans.map(showStack),
      unrecorded,
    };
  }

  // The lists took time: another incident may have paused the tenants since.
  const begun = await withNoteLock(shell, path, async () => {
    const note = await noteOfIncident(context.shell, path, before);
    return writeNote(path, withSelection(note, selection, part));
  });
  const stillNoted = runningAtFirst(begun);
  const sentOutcomes = await bringBack(
    context,
    paused.filter(({ id }) => stillNoted.has(id)),
  );
  const outcomes = new Map([...known, ...sentOutcomes]);
  const ownBefore = withSelection(before, selection, part);
  const sent = { before: ownBefore, part, found, handedOver, pausedForOthers, held, outcomes, isWriting };
  const others = new Set(handedOver.map(({ note }) => note));
  return withNoteLocks(shell, [path, ...others], () => completeResume(context, sent));
}

/** A `resume` that has sent its requests. */
interface SentResume {
  /** The note as it was at first, with what this command has written into it. */
  before: PauseNote;
  /** The noted tenants that the command line selects. */
  part: readonly NotedTenant[];
  /** What else is known about them, and about the files. */
  found: Pick<ResumeResult, "isDryRun" | "path" | "note" | "project" | "wasPaused" | "running">;
  /** The tenants to resume that the note of another incident has too. */
  handedOver: readonly HandedOverTenant[];
  /** The tenants that were paused before, and that the note of another incident has. */
  pausedForOthers: readonly HandedOverTenant[];
  /** The tenants that an override of another reason holds. Ours need not cover them, or two incidents would wait for each other. */
  held: ReadonlyMap<number, Outcome>;
  /** Also of the tenants that lists of live tenants lacked before the requests. */
  outcomes: ReadonlyMap<number, Outcome>;
  isWriting: boolean;
}

/**
 * Takes the tenants out of the note and of the overrides. The note was not locked during the requests: another `resume` may
 * have completed it, and a `pause` may have paused tenants again.
 *
 * @throws CommandError if the note is gone, or is about another incident by now.
 */
async function completeResume(context: CommandContext, sent: SentResume): Promise<ResumeResult> {
  const { before, part, found, held, isWriting } = sent;
  const { path, project } = found;
  const current = await noteOfIncident(context.shell, path, before);
  const handedOver = await handOver(path, before, sent.handedOver);
  const outcomes = new Map([...sent.outcomes, ...keptOutcomes(sent.handedOver, handedOver)]);
  const elsewhere = idsOf(handedOver);
  const others = part.filter(({ id }) => !elsewhere.has(id));
  const failed = failuresOf(part, outcomes, await pausedAgain(context, { before, current, part: others }));
  const left = idsOf(failed);
  const isDone = ({ id }: NotedTenant) => !left.has(id);
  const done = idsOf(part.filter(isDone));
  const note = noteWithout(current, done);
  const resumed = current.tenants.filter(({ id }) => done.has(id) && !elsewhere.has(id));
  const ofOthers = [...handedOver, ...sent.pausedForOthers];
  const plans = await planStacks(project, noteWithout(note, held), context, { resumed, ofOthers });
  const changed = await changeStacks(plans, { shell: context.shell, project, path, note, isWriting });
  const isUndone = changed.stacks.some(({ outcome }) => outcome === "failed" || outcome === "shown");
  const isComplete = changed.note.tenants.length === 0 && !isUndone;
  const ofKind = (kind: Outcome["kind"]) => part.filter(({ id }) => done.has(id) && outcomes.get(id)?.kind === kind);
  return {
    ...found,
    wasPaused: found.wasPaused.filter(isDone),
    running: found.running.filter(isDone),
    resumed: ofKind("done"),
    archived: ofKind("archived"),
    handedOver,
    failed,
    canRetry: failed.some(({ id, isWaiting }) => !held.has(id) && isWaiting !== true),
    left: changed.note.tenants,
    stacks: changed.stacks,
    unrecorded: changed.unrecorded,
    ...(isComplete ? { donePath: await finishNote(path) } : {}),
  };
}

/** The outcomes of tenants that the note of another incident had, and has not any more: that incident has ended meanwhile. */
function keptOutcomes(
  noted: readonly HandedOverTenant[],
  handedOver: readonly HandedOverTenant[],
): [number, Outcome][] {
  const ids = idsOf(handedOver);
  return noted
    .filter(({ id }) => !ids.has(id))
    .map(({ id, reason }) => [id, { kind: "failed", problem: `${reason} held it, and has ended meanwhile` }]);
}

/** @param again the ids of the tenants that a `pause` has paused meanwhile. */
function failuresOf(
  tenants: readonly NotedTenant[],
  outcomes: ReadonlyMap<number, Outcome>,
  again: ReadonlySet<number> = new Set(),
): FailedTenant[] {
  return tenants.flatMap((tenant) => {
    const outcome = outcomes.get(tenant.id);
    if (outcome?.kind === "failed") {
      const { problem, isWaiting } = outcome;
      return [{ ...tenant, problem, ...(isWaiting && { isWaiting }) }];
    }
    return again.has(tenant.id) ? [{ ...tenant, problem: "a `pause` has paused it meanwhile" }] : [];
  });
}

/**
 * The note as it is now.
 *
 * @param before the note as it was at first.
 * @throws CommandError if the note is gone, or is about another incident by now.
 */
async function noteOfIncident(shell: Shell, path: string, { platform, reason }: PauseNote): Promise<PauseNote> {
  const note = await readNote(path, platform);
  if (note?.reason === reason) return note;
  const now = note === undefined ? "" : `, and the note ${shownPath(shell, path)} has the reason "${note.reason}" now`;
  throw new CommandError(
    `another \`resume\` has completed the note of "${reason}" meanwhile${now}: this one has written no file. ` +
      "`integration-platform status --where paused` lists the tenants that are paused",
  );
}

/** @throws CommandError if `pause` has written an override into a file that the folder does not have. It would stay there. */
function requireFiles({ overrides }: PauseNote, project: Project): void {
  const present = new Set(stackFilesOf(project).map((path) => nameInProject(project, path)));
  const missing = overrides.map(({ file }) => file).find((file) => !present.has(file));
  if (missing === undefined) return;
  throw new CommandError(
    `\`pause\` has written an override into ${missing}, which is not in the folder ${project.stacksDirectory}: name its folder with --cwd, or, if ` +
      "the file does not exist any more, use --no-override. Nothing was resumed",
  );
}

/** @throws CommandError if there never was a note. */
async function nothingNoted(shell: Shell, path: string, project: Project): Promise<ResumeResult> {
  const [donePath] = await doneNotes(path);
  if (donePath === undefined) {
    throw new CommandError(
      `there is no note ${shownPath(shell, path)}: name the one that \`pause\` has written with --note`,
    );
  }
  const nothing = {
    wasPaused: [],
    running: [],
    resumed: [],
    archived: [],
    handedOver: [],
    failed: [],
    canRetry: false,
    left: [],
    stacks: [],
    unrecorded: [],
  };
  return { isDryRun: false, path, project, donePath, note: undefined, ...nothing };
}

/**
 * Waits until lists show what a `pause` has done that failed or has not ended. A tenant that is still shown as running would
 * otherwise be taken for one that somebody has resumed.
 */
async function waitForLists({ shell, consistencyTimeoutSeconds: seconds }: CommandContext): Promise<void> {
  const wait = `waiting ${seconds} s, until lists show what it did`;
  printToStandardError(shell, `A \`pause\` has not ended with success: ${wait}.`);
  await sleep(seconds * 1000);
}

/**
 * The noted tenants that the command line selects, and those that the same command has begun to resume. Archived ones are part of
 * their integration, and no --where holds for them.
 */
async function notedPart(
  context: CommandContext,
  note: PauseNote,
  options: Pick<ResumeOptions, "integration" | "where">,
  selection: SelectionKey,
): Promise<readonly NotedTenant[]> {
  if (options.integration === "all" && options.where === undefined) return note.tenants;
  const begun = notedSelection(note, selection);
  const ids = new Set([...(begun?.tenants ?? []), ...(await selectedOf(context, note, options, selection))]);
  if (ids.size === 0 && begun === undefined) throw nobodySelected(options, "resumed", "tenant in the note");
  return note.tenants.filter(({ id }) => ids.has(id));
}

async function selectedOf(
  context: CommandContext,
  { tenants }: PauseNote,
  options: Pick<ResumeOptions, "integration" | "where">,
  { integration: id }: SelectionKey,
): Promise<number[]> {
  if (options.where === undefined) return tenants.filter((one) => one.integrationId === id).map((one) => one.id);
  const selected = idsOf((await selectTenants(context, options)).map(({ tenant }) => tenant));
  return tenants.filter((one) => selected.has(one.id)).map((one) => one.id);
}

async function liveTenants(
  { snapshot }: OperationContext,
  noted: readonly NotedTenant[],
): Promise<ReadonlyMap<number, Tenant>> {
  const found = noted.map(async ({ id, integrationId }): Promise<[number, Tenant][]> => {
    const tenant = await snapshot.tenantsOf(integrationId).get(id);
    return tenant === undefined ? [] : [[id, tenant]];
  });
  return new Map((await Promise.all(found)).flat());
}

function bringBack(context: CommandContext, tenants: readonly NotedTenant[]) {
  return withProgress(context.shell, `resuming ${tenants.length} tenants`, (progress) =>
    setPaused(context, tenants, {
      paused: false,
      onProgress: (done, all) => progress.show(`resuming: ${done} of ${all} tenants`),
    }),
  );
}

/** How the note and the selected tenants were before the requests, and how the note is now. */
interface Meanwhile {
  before: PauseNote;
  current: PauseNote;
  part: readonly NotedTenant[];
}

/**
 * The ids of the selected tenants that a `pause` has paused since this command resumed them. If the note is as it was, no
 * `pause` has run.
 */
async function pausedAgain(
  context: CommandContext,
  { before, current, part }: Meanwhile,
): Promise<ReadonlySet<number>> {
  if (before.unverified.length === 0 && isDeepStrictEqual(current, before)) return new Set();
  const selected = idsOf(part);
  const live = await freshTenants(context, part);
  const isHeld = ({ id, wasPaused }: NotedTenant) => !wasPaused && selected.has(id) && live.get(id)?.paused === true;
  return idsOf(current.tenants.filter(isHeld));
}

function idsOf(tenants: readonly { id: number }[]): ReadonlySet<number> {
  return new Set(tenants.map(({ id }) => id));
}
