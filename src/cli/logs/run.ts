import { NotFoundError } from "../../api/index.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { PlacedTenant } from "../../operation/tenant-by-id.ts";
import { printToStandardError, type Shell } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { CommandError, type ExitCode, exitCodes } from "../subcommand.ts";
import { describeTenant, findTenant, type TenantChoice } from "../tenants/find-tenant.ts";
import { withProgress } from "../terminal.ts";
import { withPlatform } from "../with-platform.ts";
import { followLog } from "./follow-log.ts";
import { renderJson, renderText } from "./render.ts";
import { shownRuns } from "./shown-runs.ts";

/** Whose log of which run is printed, and the stack whose connection is used. */
export interface LogsOptions extends StackChoice, TenantChoice {
  /** Id of the run. Default: the tenant's current run, or else its last one. */
  run?: number | undefined;
  /** Whether to keep printing new lines until the run ends. */
  follow?: true | undefined;
  json?: true | undefined;
}

/** Prints the log of a tenant's run. */
export async function runLogs(shell: Shell, options: LogsOptions): Promise<ExitCode> {
  return withPlatform(
    shell,
    async (context) => {
      const placed = await withProgress(shell, "reading the tenants", () => findTenant(context, options));
      const run = options.run ?? runOf(placed);
      if (options.follow) {
        const end = await followLog(context, placed, run, (text) =>
          shell.stdout.write(renderText(text, shell.stdout.isTTY)),
        );
        printToStandardError(shell, `run ${run} of ${describeTenant(placed.tenant)} ${end}`);
        return exitCodes.success;
      }
      const log = await withProgress(shell, "reading the log", () => logOf(context, run));
      shell.stdout.write(options.json ? renderJson(placed, run, log) : renderText(log, shell.stdout.isTTY));
      return exitCodes.success;
    },
    options,
  );
}

function runOf({ tenant, integration }: PlacedTenant): number {
  const { current, last } = shownRuns(tenant, integration.runWords);
  const run = current ?? last;
  if (run?.id !== undefined) return run.id;
  const who = `tenant ${describeTenant(tenant)}`;
  const hint = "Give its id with --run; the management console and the webhook run_failed contain it";
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
