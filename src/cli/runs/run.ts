import { timeNow } from "../../operation/platform-time.ts";
import { listedRun } from "../../operation/tenant-runs.ts";
import type { Shell } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { CommandError, type ExitCode, exitCodes } from "../subcommand.ts";
import { describeTenant, findTenant, type TenantChoice } from "../tenants/find-tenant.ts";
import { withProgress } from "../terminal.ts";
import { withPlatform } from "../with-platform.ts";
import { renderJson, renderText } from "./render.ts";

/** Whose runs are listed, and the stack whose connection and words are used. */
export interface RunsOptions extends StackChoice, TenantChoice {
  /** How many runs at most. Default 20. */
  limit?: number | undefined;
  json?: true | undefined;
}

/** Prints the newest runs of a tenant. */
export async function runRuns(shell: Shell, options: RunsOptions): Promise<ExitCode> {
  return withPlatform(
    shell,
    async (context) => {
      const { tenant, integration } = await withProgress(shell, "reading the tenants", () =>
        findTenant(context, options),
      );
      const listed = await withProgress(shell, "reading the runs", () =>
        context.tenantRuns.newest(tenant.id, options.limit ?? 20),
      );
      if (listed === undefined) {
        throw new CommandError(
          `this account's platform does not list runs (GET /v2/tenants/${tenant.id}/runs). ` +
            `integration-platform status shows the last run of tenant ${describeTenant(tenant)}, and logs its log`,
        );
      }
      const runs = listed.map((run) => listedRun(run, integration.runWords));
      const shown = { tenant: { id: tenant.id, name: tenant.name, integration: integration.record.name }, runs };
      const now = timeNow(context.client).at;
      shell.stdout.write(options.json ? renderJson(shown, now) : renderText(shell, shown, now));
      return exitCodes.success;
    },
    options,
  );
}
