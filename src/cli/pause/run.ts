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

/** Which tenants are paused and why, and what is written. */
export interface PauseOptions extends StackChoice {
  /** Name or id of the integration, or `all`. */
  integration: string;
  where?: string | undefined;
  reason: string;
  /** ISO 8601 with its offset from UTC. */
  until?: string | undefined;
  /** Default: `integration-platform-pause.json` in the folder of `--cwd`. */
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

async function pause(context: OperationContext, options: PauseOptions): Promise<PauseResult> {
  const { reason, until, cwd = ".", dryRun = false } = options;
  const path = notePath(options);
  const platform = context.client.baseUrl;
  const before = await readNote(path, platform);
  requireSameIncident(before, path, reason);
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
  const running = tenants.filter(({ wasPaused }) => !wasPaused);
  if (dryRun) {
    const note = extend(before);
    const stacks = await planStacks(cwd, note, context);
    const shown = await Promise.all(stacks.map((plan) => changeStack(cwd, plan, { isWriting: false })));
    return {
      isDryRun: true,
      path,
      note,
      directory: cwd,
      paused: running,
      ...alreadyPaused(tenants, note),
      archived: [],
      failed: [],
      stacks: shown,
    };
  }

  // Before the first PATCH: nothing else tells later what was running.
  const noted = await updateNote(path, platform, extend);
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

  const plans = await planStacks(cwd, noted, context);
  const isWriting = options.override;
  const note = await updateNote(path, platform, (current = noted) => ({
    ...current,
    isVerified: current.at === noted.at && failed.length === 0,
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

async function tenantsToPause(context: OperationContext, options: PauseOptions): Promise<NotedTenant[]> {
  const selected = await selectTenants(context, options);
  if (selected.length === 0) {
    const what = options.where === undefined ? "has no live tenant" : "has no live tenant for which --where holds";
    const of = options.integration === "all" ? "the platform" : `integration "${options.integration}"`;
    throw new CommandError(`${of} ${what}: nothing was paused`);
  }
  return selected.map(({ tenant: { id, name, paused }, scope }) => {
    const { id: integrationId, record } = scope;
    return { id, name, integration: record.name, integrationId, wasPaused: paused };
  });
}

/** The tenants that need no PATCH: by an earlier run of this command, or because they were paused before the incident. */
function alreadyPaused(tenants: readonly NotedTenant[], note: PauseNote): Pick<PauseResult, "earlier" | "before"> {
  const running = new Set(note.tenants.filter(({ wasPaused }) => !wasPaused).map(({ id }) => id));
  const [earlier, before] = [true, false].map((isOurs) =>
    tenants.filter(({ id, wasPaused }) => wasPaused && running.has(id) === isOurs),
  );
  return { earlier: earlier ?? [], before: before ?? [] };
}

function requireSameIncident(note: PauseNote | undefined, path: string, reason: string): void {
  if (note === undefined || note.reason === reason) return;
  throw new CommandError(
    `the note ${path} is about "${note.reason}": give that as --reason, ` +
      "or name another note with --note if this is another incident",
  );
}
