import { oneLine } from "../../json/one-line.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { platformTime } from "../../operation/platform-time.ts";
import { isInForce, untilSchema } from "../../settings/override.ts";
import {
  type Addition,
  extendedNote,
  type NotedTenant,
  notedSelection,
  type PauseNote,
  runningAtFirst,
  type SelectionKey,
  withSelection,
} from "../pause-note/note.ts";
import { notePath, readNote, withNoteLock, writeNote } from "../pause-note/note-file.ts";
import { type Outcome, setPaused } from "../paused-state/set-paused.ts";
import { printToStandardError, type Shell, shownPath } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { projectOfChoice } from "../stack-file.ts";
import { changeStacks, planStacks, showStack } from "../stack-overrides/stack-changes.ts";
import { unrecordedPause } from "../stack-overrides/unrecorded.ts";
import { CommandError, type ExitCode, exitCodes, UsageError } from "../subcommand.ts";
import { connectionOf } from "../tenants/connection-of.ts";
import { integrationKey } from "../tenants/find-integration.ts";
import { nobodySelected, selectTenants } from "../tenants/select-tenants.ts";
import { withProgress } from "../terminal.ts";
import { type CommandContext, withPlatform } from "../with-platform.ts";
import type { PauseResult } from "./pause-result.ts";
import { named, renderJson, renderText } from "./render.ts";
import { noteWithTaken, type TakenTenants, takenTenants, withTakenAsRunning } from "./taken-tenants.ts";

/** The options of the command: which tenants to pause and why, and what to write. */
export interface PauseOptions extends StackChoice {
  /** Name or id of the integration, or `all`. */
  integration: string;
  /** The expression of `--where`. Default: all tenants. */
  where?: string | undefined;
  /** Why the tenants are paused, such as the number of the incident. A note is about one reason. */
  reason: string;
  /** When the overrides end, ISO 8601 with its offset from UTC. Default: when `resume` removes them. */
  until?: string | undefined;
  /** Path of the note. Default: `integration-platform-pause.json` in the folder of the project. */
  note?: string | undefined;
  /** Whether overrides are written into the stacks' files. */
  override: boolean;
  dryRun?: true | undefined;
  json?: true | undefined;
}

/** Pauses tenants, and prints what was done and what is left to do. */
export async function runPause(shell: Shell, options: PauseOptions): Promise<ExitCode> {
  requireTime(options.until);
  const result = await withPlatform(shell, (context) => pause(context, options), connectionOf(options));
  shell.stdout.write(options.json ? renderJson(shell, result) : renderText(shell, result));
  const isWriting = options.override && !result.isDryRun;
  if (result.unrecorded.length > 0) printToStandardError(shell, unrecordedPause(result, isWriting));
  const isUncovered =
    isWriting &&
    (result.unrecorded.length > 0 ||
      result.stacks.some(
        ({ outcome, unnamed }) => outcome === "failed" || outcome === "skipped" || unnamed.length > 0,
      ));
  return result.failed.length > 0 || isUncovered ? exitCodes.failure : exitCodes.success;
}

/**
 * Writes the note, pauses the tenants, and then writes the overrides into the stacks' files, or shows them. Throws before
 * anything is written if the options do not fit the platform or an existing note.
 */
async function pause(context: CommandContext, options: PauseOptions): Promise<PauseResult> {
  const { reason, until, dryRun = false } = options;
  const { shell } = context;
  const project = projectOfChoice(shell, options);
  const path = notePath(shell, project, options.note);
  const shownNote = shownPath(shell, path);
  const platform = context.client.baseUrl;
  const existingNote = await readNote(path, platform);
  requireSameIncident(existingNote, shownNote, reason);
  const { where } = options;
  const selection = {
    command: "pause",
    integration: await integrationKey(context, options.integration),
    where,
  } as const;
  const listed = await tenantsToPause(context, existingNote, options, selection);
  const { at } = await platformTime(context);
  requireEndAhead(existingNote, shownNote, until, at);

  const additionOf = (tenants: NotedTenant[]): Addition => ({
    platform,
    reason,
    until,
    at: at.toISOString(),
    wholeIntegrations: where === undefined ? [...new Set(tenants.map((one) => one.integrationId))] : [],
    tenants,
  });
  if (dryRun) {
    const note = extendedNote(existingNote, additionOf(listed));
    return previewPause(context, { path, note, project, tenants: listed });
  }

  // The note is written before the first PATCH, because afterwards only the note knows which tenants were running.
  const { addition, writtenNote } = await withNoteLock(shell, path, async () => {
    const note = await readNote(path, platform);
    requireSameIncident(note, shownNote, reason);
    requireEndAhead(note, shownNote, until, at);
    const addition = additionOf(withTakenAsRunning(listed, existingNote, note));
    const extended = withSelection(extendedNote(note, addition), selection, addition.tenants);
    return { addition, writtenNote: await writeNote(path, extended) };
  });
  const running = addition.tenants.filter(({ wasPaused }) => !wasPaused);
  const outcomes = await withProgress(context.shell, `pausing ${running.length} tenants`, (progress) =>
    setPaused(context, running, {
      paused: true,
      onProgress: (done, all) => progress.show(`pausing: ${done} of ${all} tenants`),
    }),
  );

  const sent = { path, project, isWriting: options.override, addition, writtenNote, outcomes };
  return withNoteLock(shell, path, () => completePause(context, sent));
}

/** A `pause` that has sent its requests. */
interface SentPause extends Pick<PauseResult, "path" | "project"> {
  isWriting: boolean;
  addition: Addition;
  /** The note before the requests, with the addition. */
  writtenNote: PauseNote;
  outcomes: ReadonlyMap<number, Outcome>;
}

/**
 * Writes the overrides and what is known about the tenants. The note was not locked during the requests: another `pause` may
 * have extended it, and a `resume` may have resumed tenants.
 *
 * @throws CommandError if a `resume` has completed the note, and there is nothing left to note in it.
 */
async function completePause(context: CommandContext, sent: SentPause): Promise<PauseResult> {
  const { path, project, isWriting, addition, writtenNote, outcomes } = sent;
  const { tenants, reason } = addition;
  const shownNote = shownPath(context.shell, path);
  const current = await readNote(path, addition.platform);
  const selected = idsOf(tenants);
  const noted = writtenNote.tenants.filter(({ id, wasPaused }) => !wasPaused && selected.has(id));
  const taken = await takenTenants(context, current, noted);
  requireNoteOfIncident(current, { path: shownNote, reason, taken });
  const note = noteWithTaken(current, addition, taken);
  if (note === undefined) {
    throw new CommandError(
      `a \`resume\` has completed the note ${shownNote} meanwhile: to pause the tenants again, run the same command again`,
    );
  }

  const resumed = idsOf(taken.running);
  const failed = tenants.flatMap((tenant) => {
    const outcome = outcomes.get(tenant.id);
    if (outcome?.kind === "failed") return [{ ...tenant, problem: outcome.problem }];
    return resumed.has(tenant.id) ? [{ ...tenant, problem: "a `resume` has resumed it meanwhile" }] : [];
  });
  // The other tenants stay unverified: the `pause` that noted them may have died, or may still be sending requests.
  const left = idsOf(failed);
  const newNote = { ...note, unverified: note.unverified.filter((id) => !selected.has(id) || left.has(id)) };
  const plans = await planStacks(project, newNote, context);
  const changed = await changeStacks(plans, { shell: context.shell, project, path, note: newNote, isWriting });
  const held = tenants.filter(({ id }) => !resumed.has(id));
  const ofKind = (kind: Outcome["kind"]) => held.filter(({ id }) => outcomes.get(id)?.kind === kind);
  return {
    isDryRun: false,
    path,
    ...changed,
    project,
    paused: ofKind("done"),
    ...alreadyPaused(held, changed.note),
    archived: ofKind("archived"),
    failed,
  };
}

interface PlannedPause extends Pick<PauseResult, "path" | "note" | "project"> {
  tenants: readonly NotedTenant[];
}

/**
 * What `pause` would do. Sends no PATCH and writes no file.
 *
 * @param planned has the note that `pause` would write, and the tenants that it would select.
 */
async function previewPause(context: CommandContext, planned: PlannedPause): Promise<PauseResult> {
  const { path, note, project, tenants } = planned;
  const { plans, unrecorded } = await planStacks(project, note, context);
  return {
    isDryRun: true,
    path,
    note,
    project,
    paused: tenants.filter(({ wasPaused }) => !wasPaused),
    ...alreadyPaused(tenants, note),
    archived: [],
    failed: [],
    stacks: plans.map(showStack),
    unrecorded,
  };
}

/**
 * The tenants that match, and those that the same command has begun to pause. If nobody matches, those that any `pause` of the note
 * has begun with: a note of an earlier version does not say which command that was.
 */
async function tenantsToPause(
  context: CommandContext,
  note: PauseNote | undefined,
  options: Pick<PauseOptions, "integration" | "where">,
  selection: SelectionKey,
): Promise<NotedTenant[]> {
  const selected = await selectTenants(context, options);
  const unfinished = selected.length === 0 ? note?.unverified : undefined;
  const begun = notedSelection(note, selection)?.tenants ?? unfinished ?? [];
  if (selected.length === 0 && begun.length === 0) throw nobodySelected(options, "paused");
  const matching = selected.map(({ tenant: { id, name, paused }, scope }) => {
    const { id: integrationId, record } = scope;
    return { id, name, integration: record.name, integrationId, wasPaused: paused };
  });
  const ids = idsOf(matching);
  const others = new Set(begun.filter((id) => !ids.has(id)));
  return [...matching, ...(await stillToPause(context, note, others))];
}

/**
 * Those tenants of a note that are paused, or that no list has shown as paused yet. Somebody has resumed the others: they are left
 * as they are.
 */
async function stillToPause(
  { snapshot }: OperationContext,
  note: PauseNote | undefined,
  ids: ReadonlySet<number>,
): Promise<NotedTenant[]> {
  const unverified = new Set(note?.unverified);
  const noted = (note?.tenants ?? []).filter(({ id }) => ids.has(id));
  const found = noted.map(async (tenant): Promise<NotedTenant[]> => {
    const live = await snapshot.tenantsOf(tenant.integrationId).get(tenant.id);
    const wasPaused = live?.paused ?? tenant.wasPaused;
    return wasPaused || unverified.has(tenant.id) ? [{ ...tenant, wasPaused }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** The tenants that need no PATCH, because they are paused already. */
function alreadyPaused(
  tenants: readonly NotedTenant[],
  note: PauseNote,
): Pick<PauseResult, "pausedEarlier" | "pausedBefore"> {
  const wereRunning = runningAtFirst(note);
  const paused = tenants.filter(({ wasPaused }) => wasPaused);
  return {
    pausedEarlier: paused.filter(({ id }) => wereRunning.has(id)),
    pausedBefore: paused.filter(({ id }) => !wereRunning.has(id)),
  };
}

/** @throws UsageError if `--until` is no time that a note and an override can have. */
function requireTime(until: string | undefined): void {
  if (until === undefined || untilSchema.safeParse(until).success) return;
  throw new UsageError(
    `--until "${oneLine(until)}" must be a time with its seconds and its offset from UTC, such as 2026-11-24T06:00:00Z`,
  );
}

function requireSameIncident(note: PauseNote | undefined, path: string, reason: string): void {
  if (note === undefined || note.reason === reason) return;
  throw new CommandError(
    `the note ${path} has the reason "${note.reason}": use the same --reason, ` +
      "or name another note with --note if this is another incident",
  );
}

/** @throws CommandError if the overrides would have ended already. Without `--until`, they end when the note says. */
function requireEndAhead(note: PauseNote | undefined, path: string, until: string | undefined, now: Date): void {
  if (isInForce({ until: until ?? note?.until }, now)) return;
  throw new CommandError(
    until === undefined
      ? `the --until ${note?.until} of the note ${path} has passed: give a new --until. Nothing was paused`
      : `--until ${until} has passed: nothing was paused`,
  );
}

interface NoteOfIncident {
  /** As it is shown. */
  path: string;
  reason: string;
  taken: TakenTenants;
}

/** @throws CommandError that names the tenants that no note has, if the note is about another incident by now. */
function requireNoteOfIncident(note: PauseNote | undefined, { path, reason, taken }: NoteOfIncident): void {
  if (note === undefined || note.reason === reason) return;
  const names = taken.paused.map(named).join(", ");
  throw new CommandError(
    `a \`resume\` has completed the note of "${reason}" meanwhile, and the note ${path} has the reason "${note.reason}" now` +
      (names === ""
        ? ""
        : `. These tenants were running, are paused, and are in no note: resume them by hand: ${names}`),
  );
}

function idsOf(tenants: readonly NotedTenant[]): ReadonlySet<number> {
  return new Set(tenants.map(({ id }) => id));
}
