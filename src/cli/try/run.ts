import { randomUUID } from "node:crypto";
import { ApiError, CancelledError, type Release, type Tenant, ValidationError } from "../../api/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { isOver, loanIn, runsTried } from "../../operation/loan.ts";
import { timeNow } from "../../operation/platform-time.ts";
import { byName } from "../../resources/existing/unique-keys.ts";
import { hideCredentials } from "../../settings/hide-credentials.ts";
import { UnknownNameError } from "../../snapshot/index.ts";
import { findRelease } from "../check/find-violations.ts";
import { releaseProblems } from "../check/release-problems.ts";
import { createLogFilter } from "../logs/log-filter.ts";
import { shownRuns } from "../logs/shown-runs.ts";
import { messageOf, writeOutput } from "../output.ts";
import { printToStandardError, type Shell } from "../shell.ts";
import { CommandError, type ExitCode, exitCodes, syncExitCodes, UsageError } from "../subcommand.ts";
import { type SyncResult, syncTenants } from "../sync/sync-tenants.ts";
import { findIntegration } from "../tenants/find-integration.ts";
import { describeTenant } from "../tenants/find-tenant.ts";
import { type CommandContext, withPlatform } from "../with-platform.ts";
import { releaseOfBuild } from "./build.ts";
import { freshMetadata, isStillLent, type LentTenant, lendTenants, moveToTried, putBack } from "./loans.ts";
import { renderJson, renderJunit, renderMarkdown, renderText } from "./render.ts";
import { type TenantsChoice, testTenants } from "./test-tenants.ts";
import type { Trial } from "./trial.ts";

export interface TryOptions extends TenantsChoice {
  tag?: string | undefined;
  branch?: string | undefined;
  /** Tag or id of a release that is there, `latest` or `default`. */
  release?: string | undefined;
  /** How many tenants of the pool. Default 1. */
  tenants?: number | undefined;
  /** Default: init, then normal. */
  syncs?: readonly SyncResult["mode"][] | undefined;
  /** Seconds. Default 0. */
  wait?: number | undefined;
  /** Seconds. */
  timeout?: number | undefined;
  lock: "metadata" | "none";
  rebuild?: true | undefined;
  moveLatest?: true | undefined;
  restore?: true | undefined;
  /** Files. */
  markdown?: string | undefined;
  junit?: string | undefined;
  json?: true | undefined;
}

/** Tries a release on test tenants and prints how it went; or only puts back what others have left. */
export async function runTry(shell: Shell, options: TryOptions): Promise<ExitCode> {
  return withPlatform(
    shell,
    async (platform) => {
      const context = { ...platform, signal: shell.interruption() };
      const scope = await findIntegration(context, options.integration);
      if (options.restore) return restore(context, scope, options);
      const trial: Trial = {
        integration: scope.record.name,
        verdict: "passed",
        tenants: [],
        problems: [],
        doProblemsFail: true,
      };
      await tryRelease(context, scope, options, trial).catch((error: unknown) => {
        trial.verdict = "not tried";
        trial.reason = reasonOf(error);
      });
      await report(shell, trial, options);
      return { passed: exitCodes.success, failed: syncExitCodes.failed, "not tried": exitCodes.failure }[trial.verdict];
    },
    options,
  );
}

/** The steps in their order. What is known is in the trial, also if a later step fails. */
async function tryRelease(
  context: CommandContext,
  scope: IntegrationScope,
  options: TryOptions,
  trial: Trial,
): Promise<void> {
  const isRecorded = options.lock === "metadata";
  const { tenants: candidates, isTestTenant } = await testTenants(context, scope, options);
  const release = await releaseToTry(context, scope, options, { candidates, isTestTenant });
  trial.release = { id: release.id, tag: release.tag ?? null, name: release.name };
  trial.problems = await releaseProblems(context, options.integration, release);
  trial.doProblemsFail = context.schemaViolations === "error";
  if (trial.problems.length > 0 && trial.doProblemsFail) trial.verdict = "failed";
  const modes = options.syncs ?? ["init", "normal"];
  const count = options.pool === undefined ? candidates.length : (options.tenants ?? 1);
  const loan = {
    id: randomUUID(),
    label: options.tag ?? (release.tag || String(release.id)),
    by: userOf(context),
    seconds: longestSeconds(context, modes, options),
    release: release.id,
  };
  const lent = await lendTenants(context, scope, {
    candidates,
    count,
    loan,
    waitSeconds: options.wait ?? 0,
    isRecorded,
  });
  try {
    const tried = lent.map(({ tenant: { id, name }, loan: { before } }) => ({ id, name, before, syncs: [] }));
    trial.tenants = tried.sort(byName);
    await syncAll(context, scope, { lent, modes, options, trial });
  } finally {
    await putAllBack(context, scope, lent, trial);
  }
}

async function releaseToTry(
  context: CommandContext,
  scope: IntegrationScope,
  { tag, branch, release, timeout, wait, lock, rebuild, moveLatest }: TryOptions,
  { candidates, isTestTenant }: { candidates: readonly Tenant[]; isTestTenant(name: string): boolean },
): Promise<Release> {
  if (tag === undefined) return findRelease(scope, release ?? "");
  return releaseOfBuild(context, scope, {
    ...{ tag, branch, timeoutSeconds: timeout, isRepeated: rebuild === true },
    notes: lock === "metadata" ? { candidates, waitSeconds: wait ?? 0, by: userOf(context) } : undefined,
    mayMove: (tenant) => moveLatest === true || isTestTenant(tenant),
  });
}

/** Who started the command, if the environment says so. */
function userOf({ shell }: CommandContext): string {
  const { GITHUB_ACTOR, GITLAB_USER_LOGIN, USER = "unknown" } = shell.env;
  return GITHUB_ACTOR ?? GITLAB_USER_LOGIN ?? USER;
}

/** How long a command has a tenant at most: each of its waits may take as long as it is allowed to. */
function longestSeconds(
  { busyTimeoutSeconds, consistencyTimeoutSeconds }: CommandContext,
  modes: readonly unknown[],
  { timeout = 1500 }: TryOptions,
): number {
  return (modes.length + 2) * busyTimeoutSeconds + modes.length * timeout + 10 * consistencyTimeoutSeconds;
}

interface Work {
  lent: readonly LentTenant[];
  modes: readonly SyncResult["mode"][];
  options: TryOptions;
  trial: Trial;
}

/** Moves the tenants and syncs them in each mode, as long as all is well with a tenant. */
async function syncAll(context: CommandContext, scope: IntegrationScope, { lent, modes, options, trial }: Work) {
  const shownOf = (one: LentTenant) => trial.tenants.find(({ id }) => id === one.tenant.id);
  const end = (one: LentTenant, verdict: Trial["verdict"], reason: string) => {
    const shown = shownOf(one);
    if (shown !== undefined) shown.reason = reason;
    if (verdict === "not tried" || trial.verdict === "passed") trial.verdict = verdict;
  };
  const moved = lent.map(async (one) => {
    try {
      await moveToTried(context, scope, one);
      return [one];
    } catch (error) {
      end(one, error instanceof ValidationError ? "failed" : "not tried", reasonOf(error));
      return [];
    }
  });
  let left = (await Promise.all(moved)).flat();
  for (const mode of modes) {
    if (context.signal.aborted) throw new CancelledError();
    const request = { mode, wait: true, timeout: options.timeout };
    const results = await syncTenants(
      context,
      left.map(({ tenant }) => ({ tenant, scope })),
      request,
    );
    if (context.signal.aborted) throw new CancelledError();
    const judged = results.map(async (result, index) => {
      const one = left[index];
      if (one === undefined) return [];
      const log = result.outcome === "failed" ? await logOf(context, scope, { one, result, options }) : undefined;
      shownOf(one)?.syncs.push({ ...result, ...(log !== undefined && { log }) });
      const disturbance = await disturbanceOf(context, scope, one);
      if (disturbance !== undefined) end(one, "not tried", disturbance);
      else if (result.outcome === "failed") end(one, "failed", `its ${mode} sync failed`);
      else if (result.outcome !== "succeeded") end(one, "not tried", result.reason ?? result.outcome);
      else return [one];
      return [];
    });
    left = (await Promise.all(judged)).flat();
  }
}

/** What others have done to a tenant while this command had it, so that its outcome tells nothing. */
async function disturbanceOf(context: CommandContext, { tenants }: IntegrationScope, one: LentTenant) {
  if (!(await isStillLent(context, one))) return "another command has it now";
  const now = await tenants.fetchFresh(one.tenant.id);
  if (now === undefined) return "it was archived";
  return runsTried(now, one.loan) ? undefined : "somebody else has given it another release";
}

const logLines = 40;

/** The last lines of the log of a failed sync, without credentials; `undefined` if the platform does not show it. */
async function logOf(
  context: CommandContext,
  scope: IntegrationScope,
  { one, result, options }: { one: LentTenant; result: SyncResult; options: TryOptions },
): Promise<string | undefined> {
  const fresh = await scope.tenants.fetchFresh(one.tenant.id);
  const run = result.run ?? (fresh && shownRuns(fresh, scope.runWords).last?.id);
  if (run === undefined) return undefined;
  const hide = await createLogFilter(context, { tenant: fresh ?? one.tenant, integration: scope }, options);
  const log = await context.client.runs.getLog(run).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    context.warn(`the log of run ${run} cannot be read: ${error.message}`);
    return undefined;
  });
  return log === undefined ? undefined : hide(log).trimEnd().split("\n").slice(-logLines).join("\n");
}

/** Gives each tenant its former release, whatever happened. One failure does not keep the others from it. */
async function putAllBack(
  context: CommandContext,
  scope: IntegrationScope,
  lent: readonly LentTenant[],
  trial: Trial,
): Promise<void> {
  const all = lent.map(async ({ tenant, loan, isRecorded }) => {
    const shown = trial.tenants.find(({ id }) => id === tenant.id);
    try {
      const note = await putBack(context, scope, tenant, loan, isRecorded);
      if (shown !== undefined) Object.assign(shown, { isBack: true, ...(note !== undefined && { note }) });
    } catch (error) {
      if (shown !== undefined) Object.assign(shown, { isBack: false, note: reasonOf(error) });
    }
  });
  await Promise.all(all);
  if (trial.tenants.some(({ isBack }) => isBack === false)) trial.verdict = "not tried";
}

/** Puts back what other commands have left: of the tenants and the tag that are named, and all whose time is over. */
async function restore(context: CommandContext, scope: IntegrationScope, options: TryOptions): Promise<ExitCode> {
  const isNamed = options.tenant !== undefined || options.pool !== undefined;
  const { tenants } = await testTenants(context, scope, options);
  const { tag = options.release } = options;
  const restored = tenants.map(async (tenant) => {
    const loan = loanIn(await freshMetadata(context, tenant.id));
    if (loan === undefined) return true;
    const isMeant = isNamed || isTagged(loan.label, tag) || String(loan.release) === tag;
    if (!isMeant && !isOver(loan, timeNow(context.client))) {
      tell(context, tenant, `is lent to ${loan.label} until ${loan.until} and stays so`);
      return true;
    }
    try {
      const note = await putBack(context, scope, tenant, loan);
      tell(context, tenant, `is put back; it was lent to ${loan.label}${note === undefined ? "" : `: ${note}`}`);
      return true;
    } catch (error) {
      tell(context, tenant, `is not put back: ${reasonOf(error)}`);
      return false;
    }
  });
  return (await Promise.all(restored)).every(Boolean) ? exitCodes.success : exitCodes.failure;
}

/** Whether a loan is for a tag, or for one that begins with what is before the `*`, such as `pr-123-*`. */
function isTagged(label: string, tag: string | undefined): boolean {
  return tag?.endsWith("*") ? label.startsWith(tag.slice(0, -1)) : label === tag;
}

function tell({ shell }: CommandContext, tenant: Tenant, clause: string): void {
  shell.stdout.write(`${describeTenant(tenant)} ${hideCredentials(clause)}\n`);
}

/** Why a step failed, if its message explains it to the user. */
function reasonOf(error: unknown): string {
  if (error instanceof CancelledError) return "it was interrupted";
  if (error instanceof UsageError) throw error;
  const isExplained = [CommandError, ApiError, UnknownNameError].some((kind) => error instanceof kind);
  if (!isExplained && !(error instanceof Error && error.constructor === Error)) throw error;
  return messageOf(error);
}

async function report(shell: Shell, trial: Trial, { markdown, junit, json }: TryOptions): Promise<void> {
  const outputs = [
    { path: markdown, render: renderMarkdown },
    { path: junit, render: renderJunit },
  ];
  for (const { path, render } of outputs) {
    if (path !== undefined) await writeOutput(shell, path, { what: "the result", content: render(trial) });
  }
  if (![markdown, junit].includes("-")) shell.stdout.write(json ? renderJson(trial) : renderText(shell, trial));
  if (trial.reason !== undefined) printToStandardError(shell, `error: ${trial.reason}`);
}
