import type { OperationContext } from "../../operation/operation-context.ts";
import { platformTime } from "../../operation/platform-time.ts";
import { isInForce } from "../../settings/override.ts";
import { extendedNote, type NotedTenant, type PauseNote } from "../pause-note/note.ts";
import { notePath, readNote, updateNote } from "../pause-note/note-file.ts";
import { type Outcome, setPaused } from "../paused-state/set-paused.ts";
import type { StackChoice } from "../stack-choice.ts";
import { changeStack, overridesAfter, planStacks } from "../stack-overrides/stack-changes.ts";
import { CommandError, type ExitCode, exitCodes } from "../subcommand.ts";
import { selectTenants } from "../tenants/select-tenants.ts";
import { withProgress } from "../terminal.ts";
import { withPlatform } from "../with-platform.ts";
import type { PauseResult } from "./pause-result.ts";
import { renderJson, renderText } from "./render.ts";

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
  /** Path of the note. Default: `integration-platform-pause.json` in the folder of `--cwd`. */
  note?: string | undefined;
  /** Whether overrides are written into the stacks' files. */
  override: boolean;
  dryRun?: true | undefined;
  json?: true | undefined;
}

/** Pauses tenants, and prints what was done and what is left to do. */
export async function runPause(options: PauseOptions): Promise<ExitCode> {
  const result = await withPlatform((context) => pause(context, options), options);
  process.stdout.write(options.json ? renderJson(result) : renderText(result));
  const isFailed = result.failed.length > 0 || result.stacks.some(({ outcome }) => outcome === "failed");
  return isFailed ? exitCodes.failure : exitCodes.success;
}

/**
 * Writes the note, pauses the tenants, and then writes the overrides into the stacks' files, or shows them. Throws before
 * anything is written if the options do not fit the platform or an existing note.
 */
async function pause(context: OperationContext, options: PauseOptions): Promise<PauseResult> {
  const { reason, until, cwd = ".", dryRun = false } = options;
  const path = notePath(options);
  const platform = context.client.baseUrl;
  const existingNote = await readNote(path, platform);
  requireSameIncident(existingNote, path, reason);
  const tenants = await tenantsToPause(context, options);
  const at = await platformTime(context);
  if (until !== undefined && !isInForce({ until }, at)) {
    throw new CommandError(`--until ${until} has passed: nothing was paused`);
  }

  const addition = {
    platform,
    reason,
    until,
    at: at.toISOString(),
    wholeIntegrations: options.where === undefined ? [...new Set(tenants.map((one) => one.integrationId))] : [],
    tenants,
  };
  const extend = (note: PauseNote | undefined) => {
    requireSameIncident(note, path, reason);
    return extendedNote(note, addition);
  };
  if (dryRun) return previewPause(context, { path, note: extend(existingNote), directory: cwd, tenants });

  // The note is written before the first PATCH, because afterwards only the note knows which tenants were running.
  const writtenNote = await updateNote(path, platform, extend);
  const running = tenants.filter(({ wasPaused }) => !wasPaused);
  const outcomes = await withProgress(`pausing ${running.length} tenants`, (progress) =>
    setPaused(context, running, {
      paused: true,
      onProgress: (done, all) => progress.show(`pausing: ${done} of ${all} tenants`),
    }),
  );
  const ofKind = (kind: Outcome["kind"]) => running.filter(({ id }) => outcomes.get(id)?.kind === kind);
  const failed = running.flatMap((tenant) => {
    const outcome = outcomes.get(tenant.id);
    return outcome?.kind === "failed" ? [{ ...tenant, problem: outcome.problem }] : [];
  });

  const plans = await planStacks(cwd, writtenNote, context);
  const isWriting = options.override;
  // Meanwhile, another `pause` may have extended the note, or somebody may have removed it.
  const note = await updateNote(path, platform, (current = writtenNote) => ({
    ...current,
    isVerified: current.at === writtenNote.at && failed.length === 0,
    overrides: isWriting ? overridesAfter(current, plans) : current.overrides,
  }));
  const stacks = await Promise.all(plans.map((plan) => changeStack(cwd, plan, { isWriting })));
  return {
    isDryRun: false,
    path,
    note,
    directory: cwd,
    paused: ofKind("done"),
    ...alreadyPaused(tenants, note),
    archived: ofKind("archived"),
    failed,
    stacks,
  };
}

interface PlannedPause extends Pick<PauseResult, "path" | "note" | "directory"> {
  tenants: readonly NotedTenant[];
}

/**
 * What `pause` would do. Sends no PATCH and writes no file.
 *
 * @param planned has the note that `pause` would write, and the tenants that it would select.
 */
async function previewPause(context: OperationContext, planned: PlannedPause): Promise<PauseResult> {
  const { path, note, directory, tenants } = planned;
  const plans = await planStacks(directory, note, context);
  const stacks = await Promise.all(plans.map((plan) => changeStack(directory, plan, { isWriting: false })));
  return {
    isDryRun: true,
    path,
    note,
    directory,
    paused: tenants.filter(({ wasPaused }) => !wasPaused),
    ...alreadyPaused(tenants, note),
    archived: [],
    failed: [],
    stacks,
  };
}

async function tenantsToPause(context: OperationContext, options: PauseOptions): Promise<NotedTenant[]> {
  const selected = await selectTenants(context, options);
  if (selected.length === 0) {
    const what = options.where === undefined ? "has no live tenant" : "has no live tenant that matches --where";
    const subject = options.integration === "all" ? "the platform" : `integration "${options.integration}"`;
    throw new CommandError(`${subject} ${what}: nothing was paused`);
  }
  return selected.map(({ tenant: { id, name, paused }, scope }) => {
    const { id: integrationId, record } = scope;
    return { id, name, integration: record.name, integrationId, wasPaused: paused };
  });
}

/** The tenants that need no PATCH, because they are paused already. */
function alreadyPaused(
  tenants: readonly NotedTenant[],
  note: PauseNote,
): Pick<PauseResult, "pausedEarlier" | "pausedBefore"> {
  const wereRunning = new Set(note.tenants.filter(({ wasPaused }) => !wasPaused).map(({ id }) => id));
  const paused = tenants.filter(({ wasPaused }) => wasPaused);
  return {
    pausedEarlier: paused.filter(({ id }) => wereRunning.has(id)),
    pausedBefore: paused.filter(({ id }) => !wereRunning.has(id)),
  };
}

function requireSameIncident(note: PauseNote | undefined, path: string, reason: string): void {
  if (note === undefined || note.reason === reason) return;
  throw new CommandError(
    `the note ${path} has the reason "${note.reason}": use the same --reason, ` +
      "or name another note with --note if this is another incident",
  );
}
