import { timeNow } from "../../operation/platform-time.ts";
import type { Shell } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { type ExitCode, exitCodes } from "../subcommand.ts";
import { type Selection, selectTenants } from "../tenants/select-tenants.ts";
import { parseWhere } from "../tenants/where.ts";
import { type CommandContext, withPlatform } from "../with-platform.ts";
import { failingShares } from "./failing-shares.ts";
import { type FleetStatus, summaryOf } from "./fleet-status.ts";
import { nextSteps } from "./next-steps.ts";
import { renderJson, renderText } from "./render.ts";
import { shownTenants } from "./shown-tenants.ts";
import { watch } from "./watch.ts";

/** Which tenants are shown and how, and the stack whose connection is used. */
export interface StatusOptions extends StackChoice, Selection {
  json?: true | undefined;
  /** Whether the JSON has the metadata. */
  metadata?: true | undefined;
  /** Whether the last runs are read of more than a hundred tenants too. */
  runs?: true | undefined;
  /** Seconds between a look and the next, or true for the default. Default: one look. */
  watch?: number | true | undefined;
}

const watchSecondsDefault = 5;
/** The last runs take a request for each tenant: of more tenants they are read only if that is asked for. */
const fewTenants = 100;

/** Prints the live tenants, once or until the process receives SIGINT. */
export async function runStatus(shell: Shell, options: StatusOptions): Promise<ExitCode> {
  const { json, watch: seconds } = options;
  if (options.where !== undefined) parseWhere(options.where); // before anything is read
  return withPlatform(
    shell,
    async (context, another) => {
      if (seconds === undefined) {
        const status = await look(context, options);
        shell.stdout.write(json ? renderJson(status) : renderText(shell, status));
        return exitCodes.success;
      }
      const pauseSeconds = seconds === true ? watchSecondsDefault : seconds;
      return watch(shell, pauseSeconds, async () => {
        const status = await look(another(), options);
        return json
          ? `${JSON.stringify(status)}\n`
          : renderText(shell, status, shell.stdout.isTTY ? shell.stdout.rows : undefined);
      });
    },
    options,
  );
}

async function look(
  context: CommandContext,
  { integration, where, json, metadata, runs }: StatusOptions,
): Promise<FleetStatus> {
  const reads = { releases: true, metadata: metadata === true };
  const selected = await selectTenants(context, { integration, where, reads });
  const asOf = timeNow(context.client).at.toISOString();
  const shown = json ? await shownTenants(context, selected, reads) : selected.map(({ fields }) => fields);
  const shares = runs || selected.length <= fewTenants ? await failingShares(context, selected) : new Map();
  const steps = await nextSteps(context, selected);
  const tenants = shown.map((tenant) => ({ ...tenant, ...steps.get(tenant.id), ...shares.get(tenant.id) }));
  return { asOf, summary: summaryOf(tenants), tenants };
}
