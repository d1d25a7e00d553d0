import { setTimeout as sleep } from "node:timers/promises";
import type { Tenant } from "../../api/index.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { type NotedTenant, noteWithout, type PauseNote } from "../pause-note/note.ts";
import { doneNotes, finishNote, notePath, readNote, updateNote } from "../pause-note/note-file.ts";
import { type Outcome, setPaused } from "../paused-state/set-paused.ts";
import type { StackChoice } from "../stack-choice.ts";
import { changeStack, overridesAfter, planStacks } from "../stack-overrides/stack-changes.ts";
import { CommandError, type ExitCode, exitCodes } from "../subcommand.ts";
import { selectTenants } from "../tenants/select-tenants.ts";
import { withProgress } from "../terminal.ts";
import { parseNameOrId, withPlatform } from "../with-platform.ts";
import { renderJson, renderText } from "./render.ts";
import type { ResumeResult } from "./resume-result.ts";

/** Which of the noted tenants are brought back, and what is written. */
export interface ResumeOptions extends StackChoice {
  /** Name or id of the integration, or `all`. */
  integration: string;
  where?: string | undefined;
  /** Default: `integration-platform-pause.json` in the folder of `--cwd`. */
  note?: string | undefined;
  /** Whether overrides are removed from the stacks' files. */
  override: boolean;
  dryRun?: true | undefined;
  json?: true | undefined;
}

/** Brings back what `pause` has noted as running, and prints what was done and what is left to do. */
export async function runResume(options: ResumeOptions): Promise<ExitCode> {
  const result = await withPlatform((context) => resume(context, options), options);
  process.stdout.write(options.json ? renderJson(result) : renderText(result));
  const isFailed = result.failed.length > 0 || result.stacks.some(({ outcome }) => outcome === "failed");
  return isFailed ? exitCodes.failure : exitCodes.success;
}

async function resume(context: OperationContext, options: ResumeOptions): Promise<ResumeResult> {
  const { cwd = ".", dryRun = false, override: isWriting } = options;
  const path = notePath(options);
  const platform = context.client.baseUrl;
  const before = await readNote(path, platform);
  if (before === undefined) return nothingNoted(path, cwd);
  if (!before.isVerified && !dryRun) await waitForLists(context);

  const part = await notedPart(context, before, options);
  const live = await liveTenants(context, part);
  const toResume = part.filter(({ wasPaused }) => !wasPaused);
  const paused = toResume.filter(({ id }) => live.get(id)?.paused === true);
  const result = {
    isDryRun: dryRun,
    path,
    note: before,
    directory: cwd,
    wasPaused: part.filter(({ wasPaused }) => wasPaused),
    running: toResume.filter(({ id }) => live.get(id)?.paused === false),
  };
  const gone = toResume.filter(({ id }) => !live.has(id));
  if (dryRun) {
    const note = noteWithout(before, idsOf(part));
    const stacks = await stackChanges(context, { directory: cwd, before, note, isWriting: false });
    return { ...result, resumed: paused, archived: gone, failed: [], left: note.tenants, stacks };
  }

  const outcomes = await bringBack(context, paused);
  const failed = part.flatMap((tenant) => {
    const outcome = outcomes.get(tenant.id);
    return outcome?.kind === "failed" ? [{ ...tenant, problem: outcome.problem }] : [];
  });
  const done = idsOf(part.filter(({ id }) => outcomes.get(id)?.kind !== "failed"));
  const note = await updateNote(path, platform, (current = before) => noteWithout(current, done));
  const stacks = await stackChanges(context, { directory: cwd, before, note, isWriting });
  const isUndone = stacks.some(({ outcome }) => outcome === "failed" || outcome === "shown");
  const changed = stacks.filter(({ outcome }) => outcome !== "failed" && outcome !== "shown");
  const left = await updateNote(path, platform, (current = note) => ({
    ...current,
    overrides: overridesAfter(current, changed),
  }));
  const isDone = left.tenants.length === 0 && !isUndone;
  const ofKind = (kind: Outcome["kind"]) => part.filter(({ id }) => outcomes.get(id)?.kind === kind);
  return {
    ...result,
    resumed: ofKind("done"),
    archived: [...gone, ...ofKind("archived")],
    failed,
    left: left.tenants,
    stacks,
    ...(isDone ? { donePath: await finishNote(path) } : {}),
  };
}

/** @throws CommandError if there never was a note. */
async function nothingNoted(path: string, directory: string): Promise<ResumeResult> {
  const [donePath] = await doneNotes(path);
  if (donePath === undefined) {
    throw new CommandError(`there is no note ${path}: name the one that \`pause\` has written with --note`);
  }
  const nothing = { wasPaused: [], running: [], resumed: [], archived: [], failed: [], left: [], stacks: [] };
  return { isDryRun: false, path, directory, donePath, note: undefined, ...nothing };
}

/**
 * Waits until lists show what a `pause` that did not end well has done. A tenant that is still shown as running would otherwise
 * be taken for one that somebody has resumed.
 */
async function waitForLists({ consistencyTimeoutSeconds: seconds }: OperationContext): Promise<void> {
  console.error(`The last \`pause\` did not end with success: waiting ${seconds} s, until lists show what it did.`);
  await sleep(seconds * 1000);
}

/** The noted tenants that the command line selects. Archived ones are part of their integration, and no --where holds for them. */
async function notedPart(
  context: OperationContext,
  { tenants }: PauseNote,
  { integration, where }: ResumeOptions,
): Promise<readonly NotedTenant[]> {
  if (integration === "all" && where === undefined) return tenants;
  if (where === undefined) {
    const { id } = await context.snapshot.integrations.find(parseNameOrId(integration));
    return tenants.filter(({ integrationId }) => integrationId === id);
  }
  const selected = idsOf((await selectTenants(context, { integration, where })).map(({ tenant }) => tenant));
  return tenants.filter(({ id }) => selected.has(id));
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

function bringBack(context: OperationContext, tenants: readonly NotedTenant[]) {
  return withProgress(`resuming ${tenants.length} tenants`, (progress) =>
    setPaused(context, tenants, {
      paused: false,
      onProgress: (done, all) => progress.show(`resuming: ${done} of ${all} tenants`),
    }),
  );
}

interface StackWork {
  directory: string;
  before: PauseNote;
  /** Without the tenants that are back. */
  note: PauseNote;
  isWriting: boolean;
}

async function stackChanges(context: OperationContext, { directory, before, note, isWriting }: StackWork) {
  const held = idsOf(note.tenants);
  const resumed = before.tenants.filter(({ id }) => !held.has(id));
  const plans = await planStacks(directory, note, context, resumed);
  return Promise.all(plans.map((plan) => changeStack(directory, plan, { isWriting })));
}

function idsOf(tenants: readonly { id: number }[]): ReadonlySet<number> {
  return new Set(tenants.map(({ id }) => id));
}
