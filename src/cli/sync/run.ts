import { writeOutput } from "../output.ts";
import type { Shell } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { CommandError, type ExitCode, exitCodes, syncExitCodes } from "../subcommand.ts";
import { findTenant } from "../tenants/find-tenant.ts";
import { nobodySelected, type Selection, selectTenants } from "../tenants/select-tenants.ts";
import { withProgress } from "../terminal.ts";
import { type CommandContext, withPlatform } from "../with-platform.ts";
import { onlyIntegration } from "./only-integration.ts";
import { renderJson, renderMany, renderMarkdown, renderOne } from "./render.ts";
import { type SyncRequest, type SyncResult, syncTenants } from "./sync-tenants.ts";

/** Which tenants are synced and how, and the stack whose connection is used. */
export interface SyncOptions extends StackChoice, SyncRequest {
  /** Id or name of one tenant. Default: the tenants of `integration` and `where`. */
  tenant?: string | undefined;
  /** Name or id of the integration; without `tenant` also `all`. Default: the only one of the stack's file. */
  integration?: string | undefined;
  /** The expression of `--where`. */
  where?: string | undefined;
  /** A file. */
  withSummary?: string | undefined;
  json?: true | undefined;
}

/** Requests syncs and prints their outcomes. */
export async function runSync(
  shell: Shell,
  { tenant, integration: named, where, json, withSummary, ...options }: SyncOptions,
): Promise<ExitCode> {
  const integration = named ?? (tenant === undefined ? onlyIntegration(shell, options) : undefined);
  return withPlatform(
    shell,
    async (context) => {
      const selected =
        tenant === undefined
          ? await selectedTenants(context, { integration: integration ?? "all", where })
          : [await namedTenant(context, { tenant, integration })];
      const results = await syncTenants(context, selected, options);
      if (withSummary !== undefined) {
        await writeOutput(shell, withSummary, { what: "the summary", content: renderMarkdown(results) });
      }
      const [one] = tenant === undefined ? [] : results;
      const isError = one?.outcome === "skipped" || one?.outcome === "refused";
      if (withSummary !== "-") {
        if (json) shell.stdout.write(renderJson(results));
        else if (one === undefined) shell.stdout.write(renderMany(shell, results));
        else if (!isError) shell.stdout.write(`${renderOne(shell, one)}\n`);
      }
      if (isError) throw new CommandError(renderOne(shell, one));
      return exitCodeOf(results);
    },
    options,
  );
}

async function selectedTenants(context: CommandContext, selection: Selection) {
  const selected = await selectTenants(context, selection);
  if (selected.length === 0) throw nobodySelected(selection, "synced");
  return selected;
}

async function namedTenant(context: CommandContext, named: Parameters<typeof findTenant>[1]) {
  const { tenant, integration } = await withProgress(context.shell, "reading the tenants", () =>
    findTenant(context, named),
  );
  return { tenant, scope: integration };
}

function exitCodeOf(results: readonly SyncResult[]): ExitCode {
  const has = (wanted: SyncResult["outcome"]) => results.some(({ outcome }) => outcome === wanted);
  if (has("refused")) return exitCodes.failure;
  if (has("failed")) return syncExitCodes.failed;
  return has("unknown") ? syncExitCodes.unknown : syncExitCodes.succeeded;
}
