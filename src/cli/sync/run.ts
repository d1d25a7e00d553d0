import type { Shell } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { CommandError, type ExitCode, exitCodes, syncExitCodes } from "../subcommand.ts";
import { findTenant } from "../tenants/find-tenant.ts";
import { nobodySelected, selectTenants } from "../tenants/select-tenants.ts";
import { withProgress } from "../terminal.ts";
import { withPlatform } from "../with-platform.ts";
import { renderJson, renderMany, renderOne } from "./render.ts";
import { type SyncRequest, type SyncResult, syncTenants } from "./sync-tenants.ts";

/** Which tenants are synced and how, and the stack whose connection is used. */
export interface SyncOptions extends StackChoice, SyncRequest {
  /** Id or name of one tenant. Default: the tenants of `integration` and `where`. */
  tenant?: string | undefined;
  /** Name or id of the integration; without `tenant` also `all`. */
  integration?: string | undefined;
  /** The expression of `--where`. */
  where?: string | undefined;
  json?: true | undefined;
}

/** Requests syncs and prints their outcomes. */
export async function runSync(
  shell: Shell,
  { tenant, integration, where, json, ...options }: SyncOptions,
): Promise<ExitCode> {
  return withPlatform(
    shell,
    async (context) => {
      if (tenant === undefined) {
        const selected = await selectTenants(context, { integration: integration ?? "all", where });
        if (selected.length === 0) throw nobodySelected({ integration: integration ?? "all", where }, "synced");
        const results = await syncTenants(context, selected, options);
        shell.stdout.write(json ? renderJson(results) : renderMany(shell, results));
        return exitCodeOf(results);
      }
      const found = await withProgress(shell, "reading the tenants", () =>
        findTenant(context, { tenant, integration }),
      );
      const results = await syncTenants(context, [{ tenant: found.tenant, scope: found.integration }], options);
      if (json) shell.stdout.write(renderJson(results));
      const [result] = results;
      if (result?.outcome === "skipped" || result?.outcome === "refused")
        throw new CommandError(renderOne(shell, result));
      if (result !== undefined && !json) shell.stdout.write(`${renderOne(shell, result)}\n`);
      return exitCodeOf(results);
    },
    options,
  );
}

function exitCodeOf(results: readonly SyncResult[]): ExitCode {
  const has = (wanted: SyncResult["outcome"]) => results.some(({ outcome }) => outcome === wanted);
  if (has("refused")) return exitCodes.failure;
  if (has("failed")) return syncExitCodes.failed;
  return has("unknown") ? syncExitCodes.unknown : syncExitCodes.succeeded;
}
