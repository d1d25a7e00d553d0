import { NotFoundError } from "../../api/index.ts";
import { oneLine } from "../../json/one-line.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { PlacedTenant } from "../../operation/tenant-by-id.ts";
import { listedRun } from "../../operation/tenant-runs.ts";
import { printToStandardError, type Shell } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { CommandError, type ExitCode, exitCodes, UsageError } from "../subcommand.ts";
import { describeTenant, findTenant, type TenantChoice } from "../tenants/find-tenant.ts";
import { withProgress } from "../terminal.ts";
import { printWarning, withPlatform } from "../with-platform.ts";
import { followLog } from "./follow-log.ts";
import { createLogFilter } from "./log-filter.ts";
import { renderJson, renderText } from "./render.ts";
import { shownRuns } from "./shown-runs.ts";

/** Whose log of which run is printed, and the stack whose connection is used. */
export interface LogsOptions extends StackChoice, TenantChoice {
  /** Id of the run. Default: the tenant's current run, or else its last one. */
  run?: number | undefined;
  /** Whether the run is the newest one that failed. */
  failed?: true | undefined;
  /** The id of a trigger of the run. */
  trigger?: string | undefined;
  /** Whether to keep printing new lines until the run ends. */
  follow?: true | undefined;
  /** Whether to show what looks like a credential. */
  raw?: true | undefined;
  json?: true | undefined;
}

/** Prints the log of a tenant's run. */
export async function runLogs(shell: Shell, options: LogsOptions): Promise<ExitCode> {
  if (options.raw && !shell.stdout.isTTY) {
    throw new UsageError(
      "--raw shows credentials, so it needs a terminal: leave it out, or do not redirect the output",
    );
  }
  return withPlatform(
    shell,
    async (context) => {
      const placed = await withProgress(shell, "reading the tenants", () => findTenant(context, options));
      const run = options.run ?? (await runOf(context, placed, options));
      const hide = options.raw ? (text: string) => text : await createLogFilter(context, placed, options);
      if (options.follow) {
        const end = await followLog(context, placed, run, hide, (text) =>
          shell.stdout.write(renderText(text, shell.stdout.isTTY)),
        );
        printToStandardError(shell, `run ${run} of ${describeTenant(placed.tenant)} ${end}`);
        return exitCodes.success;
      }
      if (options.raw)
        printWarning(shell, "this log is shown with the credentials in it: clear the terminal afterwards");
      const log = hide(await withProgress(shell, "reading the log", () => logOf(context, run)));
      shell.stdout.write(options.json ? renderJson(placed, run, log) : renderText(log, shell.stdout.isTTY));
      return exitCodes.success;
    },
    options,
  );
}

/** How far back a run is looked for. */
const listedRuns = 500;

async function runOf(
  { tenantRuns }: OperationContext,
  { tenant, integration }: PlacedTenant,
  { failed, trigger }: Pick<LogsOptions, "failed" | "trigger">,
): Promise<number> {
  const who = `tenant ${describeTenant(tenant)}`;
  const hint = "Give its id with --run; the management console and the webhook run_failed contain it";
  if (failed || trigger !== undefined) {
    const runs = await tenantRuns.newest(tenant.id, listedRuns);
    if (runs === undefined) throw new CommandError(`this account's platform does not list the runs of ${who}. ${hint}`);
    const found = runs.find((run) =>
      trigger === undefined
        ? listedRun(run, integration.runWords).outcome === "failed"
        : run.triggers?.some(({ id }) => String(id) === trigger),
    );
    if (found !== undefined) return found.id;
    const what = trigger === undefined ? "failed" : `has the trigger ${oneLine(trigger)}`;
    throw new CommandError(`none of the last ${runs.length} runs of ${who} ${what}`);
  }
  const { current, last } = shownRuns(tenant, integration.runWords);
  const run = current ?? last;
  if (run?.id !== undefined) return run.id;
  const [newest] = (await tenantRuns.newest(tenant.id, 1)) ?? [];
  if (newest !== undefined) return newest.id;
  if (run !== undefined) throw new CommandError(`the platform shows no id of the last run of ${who}. ${hint}`);
  if (tenant.status) throw new CommandError(`the platform shows no run of ${who}: it has not run yet`);
  throw new CommandError(`the platform does not show the runs of ${who}. ${hint}`);
}

async function logOf({ client }: OperationContext, run: number): Promise<string> {
  try {
    return await client.runs.getLog(run);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new CommandError(`run ${run} has no log, or there is no such run: ${error.message}`, { cause: error });
  }
}
