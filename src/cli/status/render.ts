import { oneLine } from "../../json/one-line.ts";
import { isHanging } from "../../operation/run-record.ts";
import { clip, columnWidths, pad } from "../fit.ts";
import { toJson } from "../output.ts";
import type { Shell, Style } from "../shell.ts";
import { durationBetween, utcMinute } from "../times.ts";
import type { FleetStatus, ShownTenant, Summary } from "./fleet-status.ts";

/** The tenants for programs. The fields are documented in docs/guides/commands.md. */
export function renderJson(status: FleetStatus): string {
  return toJson(status);
}

/**
 * The tenants for a terminal of 80 columns: a summary, and a table for each integration, failing tenants first.
 *
 * @param rows how many lines are shown at most. Default: all.
 */
export function renderText(
  shell: Styling,
  { asOf, summary, tenants }: FleetStatus,
  rows = Number.POSITIVE_INFINITY,
): string {
  const groups = Map.groupBy(tenants, ({ integrationId }) => integrationId);
  const tables = [...groups.values()].flatMap((group) => ["", ...tenantTable(shell, group, asOf, groups.size > 1)]);
  const lines = [...summaryLines(shell, summary, asOf), ...tables];
  if (lines.length <= rows - 1) return `${lines.join("\n")}\n`;
  const shown = lines.slice(0, Math.max(1, rows - 2));
  return [...shown, `... and ${lines.length - shown.length} more lines`, ""].join("\n");
}

type Styling = Pick<Shell, "styled">;

function summaryLines(shell: Styling, summary: Summary, asOf: string): string[] {
  const { tenants, releases, failing } = summary;
  const counts = [
    `${summary.connected} connected`,
    ...counted(summary.disconnected, "not connected"),
    `${summary.neverConnected} never connected`,
    ...counted(summary.connectionUnknown, "not known to be connected"),
  ];
  const failingText = `${failing} failing`;
  return [
    shell.styled("bold", `${tenants} ${tenants === 1 ? "tenant" : "tenants"} at ${utcMinute(asOf)} UTC`),
    ...(tenants === 0
      ? []
      : [
          `  ${counts.join(", ")}`,
          `  ${summary.paused} paused, ${failing > 0 ? shell.styled("red", failingText) : failingText}`,
          ...waitingLines(summary),
          ...(summary.recentRuns === undefined || summary.recentRuns.runs === 0
            ? []
            : [`  ${summary.recentRuns.failed} of the last ${summary.recentRuns.runs} runs failed`]),
          "",
          ...releaseTable(shell, releases),
        ]),
  ];
}

/** Who must do what before tenants have a dynamic choice that their release requires. */
function waitingLines({
  waiting: { forCustomer, forInitSync } = { forCustomer: 0, forInitSync: 0 },
}: Summary): string[] {
  return [
    ...(forCustomer === 0 ? [] : [`  ${forCustomer} must be connected by their customers, before an init sync`]),
    ...(forInitSync === 0 ? [] : [`  ${forInitSync} must have an init sync: integration-platform sync --mode init`]),
  ];
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}

function releaseTable(shell: Styling, releases: Summary["releases"]): string[] {
  const hasSeveral = new Set(releases.map(({ integrationId }) => integrationId)).size > 1;
  const header = ["RELEASE", "TENANTS", ...(hasSeveral ? ["INTEGRATION"] : [])];
  const rows = releases.map(({ integration, tenants, ...release }) => {
    return [releaseText(release), String(tenants), ...(hasSeveral ? [oneLine(integration)] : [])];
  });
  return tableLines(shell, [header, ...rows], [20, 7, ...(hasSeveral ? [20] : [])]);
}

function tenantTable(
  shell: Styling,
  tenants: readonly ShownTenant[],
  asOf: string,
  showsIntegration: boolean,
): string[] {
  const [first] = tenants;
  const title = showsIntegration && first ? [shell.styled("bold", clip(`${oneLine(first.integration)}:`, 80))] : [];
  const [failing, others] = [tenants.filter((one) => one.failing), tenants.filter((one) => !one.failing)];
  const sorted = [...failing, ...others];
  const hasShares = sorted.some(({ recentRuns }) => recentRuns !== undefined && recentRuns.failed > 0);
  const rows = sorted.map((tenant) => [
    oneLine(tenant.name),
    stateText(tenant, asOf),
    ...(hasShares ? [shareText(tenant)] : []),
    releaseText(tenant.release),
    oneLine(tenant.schedule ?? "-"),
    lastRunText(tenant, asOf),
  ]);
  const styleAt = (row: number) => stateStyle(sorted[row - 1]);
  return [
    ...title,
    ...tableLines(
      shell,
      [["NAME", "STATE", ...(hasShares ? ["FAILED"] : []), "RELEASE", "SCHEDULE", "LAST RUN"], ...rows],
      [24, 14, ...(hasShares ? [6] : []), 8, 8, 16],
      styleAt,
    ),
  ];
}

/** `failing 3d, paused`. */
function stateText(tenant: ShownTenant, asOf: string): string {
  const { failing, failingSince, paused, connected, neverConnected, nextStep } = tenant;
  const since = failingSince === null ? "since ?" : durationBetween(failingSince, asOf);
  const parts = [
    ...(failing ? [`failing ${since}`] : []),
    ...(paused ? ["paused"] : []),
    ...(nextStep === "init sync" ? ["needs init sync"] : []),
    ...(neverConnected ? ["never connected"] : connected === false ? ["not connected"] : []),
  ];
  if (parts.length > 0) return parts.join(", ");
  return connected ? "connected" : "connection unknown";
}

/** `3/20`: how many of its last runs failed. */
function shareText({ recentRuns }: ShownTenant): string {
  return recentRuns === undefined || recentRuns.runs === 0 ? "-" : `${recentRuns.failed}/${recentRuns.runs}`;
}

function stateStyle(tenant: ShownTenant | undefined): Style | undefined {
  if (tenant === undefined) return undefined;
  if (tenant.failing) return "red";
  if (tenant.neverConnected) return "dim";
  if (tenant.paused || tenant.connected === false) return "yellow";
  return tenant.connected ? "green" : undefined;
}

/** `v1.3.0 Latest`: the tag or the id, and the channel. */
function releaseText({ id, tag, channel }: ShownTenant["release"]): string {
  const release = tag ?? (id === null ? undefined : String(id));
  return oneLine([release, channel].filter((part) => part !== undefined && part !== null).join(" ")) || "?";
}

/** `failed 2h ago`, `running for 12s`. */
function lastRunText({ currentRun, lastRun }: ShownTenant, asOf: string): string {
  if (currentRun !== null) {
    const { startedAt } = currentRun;
    if (startedAt !== null && isHanging({ startedAt }, new Date(asOf)))
      return `hangs ${durationBetween(startedAt, asOf)}`;
    return startedAt === null ? "running" : `running for ${durationBetween(startedAt, asOf)}`;
  }
  if (lastRun === null) return "-";
  const { outcome, status, endedAt, startedAt } = lastRun;
  const time = endedAt ?? startedAt;
  const word = outcome ?? oneLine(status ?? "?");
  return time === null ? word : `${clip(word, 9)} ${durationBetween(time, asOf)} ago`;
}

/** The rows as lines of at most 80 columns, the first as a header, and the second cell of each other in its style. */
function tableLines(
  shell: Styling,
  rows: readonly (readonly string[])[],
  minimums: readonly number[],
  styleAt: (row: number) => Style | undefined = () => undefined,
): string[] {
  const widths = columnWidths(rows, minimums);
  return rows.map((row, at) => {
    const cells = row.map((cell, column) => {
      const text = clip(cell, widths[column] ?? 0);
      const padded = column === row.length - 1 ? text : pad(text, widths[column] ?? 0);
      const style = column === 1 ? styleAt(at) : undefined;
      return style === undefined ? padded : shell.styled(style, padded);
    });
    const line = cells.join("  ");
    return at === 0 ? shell.styled("bold", line) : line;
  });
}
