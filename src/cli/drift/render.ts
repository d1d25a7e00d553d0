import type { JsonValue } from "../../json/json-value.ts";
import { oneLine } from "../../json/one-line.ts";
import { forceHint } from "../../resources/tenant/archive-refusal.ts";
import { initSyncStep } from "../../resources/tenant/waiting.ts";
import { describeOverride } from "../../settings/override.ts";
import { table } from "../fit.ts";
import type { ReportHead } from "../html-report/report-head.ts";
import { toJson } from "../output.ts";
import { formatPath } from "../property-path.ts";
import { type Drift, isInSync } from "./find-drift.ts";
import { goneTitle, type KnownTimes, knownText, knownTitle } from "./known-times.ts";
import { type Difference, tenantKeyOf } from "./tenant-differences.ts";

/** A drift for a terminal: the summary, lines about archives and overrides, and a table for each section. */
export function renderText(drift: Drift): string {
  const { summary, columns, sections } = driftReport(drift);
  const header = columns.map((name) => name.toUpperCase());
  const tables = sections.map(({ title, rows }) => `\n${title}:\n${table([header, ...rows])}`);
  const lines = describeNotes(driftReport(drift), (text) => text);
  return `${[summary, ...lines, ...tables].join("\n")}\n`;
}

/** A drift for programs, with all values in full, and each path as a string. */
export function renderJson(found: Drift, head: ReportHead): string {
  const { differences, stack, history, ...drift } = found;
  const shown = differences.map(({ tenant, tenantId, resource, path, ...values }) => {
    return { tenant, tenantId, resource, field: path && formatPath(path), ...values };
  });
  const ofHistory = history && { history: { previousRunAt: history.previousRunAt, gone: history.gone } };
  return toJson({ isInSync: isInSync(found), stack, ...head, ...drift, ...ofHistory, differences: shown });
}

/** A drift for people. All strings are plain text in one line; each renderer escapes them for its own format. */
export interface DriftReport {
  stack: string;
  /** `3 of 12 tenants differ from their declarations. 1 value could not be compared, because the platform hides it.` */
  summary: string;
  archives: ArchiveLine[];
  overrides: OverrideLine[];
  /** The titles of the cells of each row. */
  columns: readonly string[];
  /** Only sections that have rows. */
  sections: { title: string; rows: (readonly string[])[] }[];
}

export type DriftRow = readonly [tenant: string, field: string, declared: string, actual: string];

/** A tenant that `up` would archive, or would refuse to archive for a reason. */
export interface ArchiveLine {
  /** `acme (5001)` */
  tenant: string;
  refusal: string | undefined;
}

/** An override that is applied, and how many tenants it pauses. */
export interface OverrideLine {
  /** `INC-42, until 2026-11-24T06:00:00Z` */
  override: string;
  tenants: number;
}

/**
 * The sentences that follow the summary.
 *
 * @param mark formats the parts that come from the platform or the stack.
 */
export function describeNotes(
  { archives, overrides }: Pick<DriftReport, "archives" | "overrides">,
  mark: (text: string) => string,
): string[] {
  const paused = overrides.map(({ override, tenants }) => {
    return `${tenants === 1 ? "1 tenant is" : `${tenants} tenants are`} overridden: ${mark(override)}.`;
  });
  return [...paused, ...archives.map((archive) => describeArchive(archive, mark))];
}

function describeArchive({ tenant, refusal }: ArchiveLine, mark: (text: string) => string): string {
  if (refusal === undefined) return `up will archive tenant ${mark(tenant)}.`;
  const because = `because it is connected or may be: ${mark(refusal)}`;
  return `up will refuse to archive tenant ${mark(tenant)}, ${because}. ${forceHint}.`;
}

const driftColumns: DriftRow = ["Tenant", "Field", "Declared", "Actual"];

/** Writes values as JSON and shortens long ones. */
export function driftReport({
  stack,
  tenants,
  valuesNotCompared,
  valuesNotResolved = 0,
  tenantsWaiting = 0,
  tenantsWithoutOptions = 0,
  differences,
  archives,
  overrides,
  history,
}: Drift): DriftReport {
  const count = new Set(differences.map(tenantKeyOf)).size;
  const known = (times: KnownTimes) => (history === undefined ? [] : [knownText([times], history)]);
  const sections = titles.map(([cause, title]) => ({
    title,
    rows: differences
      .filter(({ changedOn }) => changedOn === cause)
      .map((difference) => [...rowOf(difference), ...known(difference)]),
  }));
  const gone = (history?.gone ?? []).map((finding) => [...cellsOf(finding), ...known(finding)]);
  return {
    stack: shorten(stack),
    summary: `${outcome(count, tenants, archives.length)}${notCompared(valuesNotCompared)}${notResolved(valuesNotResolved)}${waiting(tenantsWaiting)}${withoutOptions(tenantsWithoutOptions)}`,
    archives: archives.map(({ tenant, tenantId, refusal }) => {
      return { tenant: shorten(`${tenant} (${tenantId})`), refusal: refusal && shorten(refusal) };
    }),
    overrides: overrides.map(({ tenants, ...override }) => ({
      tenants,
      override: shorten(describeOverride(override)),
    })),
    columns: history === undefined ? driftColumns : [...driftColumns, knownTitle],
    sections: [...sections, { title: goneTitle(history), rows: gone }].filter(({ rows }) => rows.length > 0),
  };
}

function outcome(count: number, tenants: number, archives: number): string {
  if (tenants === 0) return "The stack has no tenants.";
  if (count === 0 && archives > 0) return `${archives} of ${tenants} tenants would be replaced or archived.`;
  if (count > 0)
    return `${count} of ${tenants} tenants ${count === 1 ? "differs from its declaration" : "differ from their declarations"}.`;
  return tenants === 1 ? "The tenant matches its declaration." : `All ${tenants} tenants match their declarations.`;
}

function notCompared(count: number): string {
  if (count === 0) return "";
  if (count === 1) return " 1 value could not be compared, because the platform hides it.";
  return ` ${count} values could not be compared, because the platform hides them.`;
}

function notResolved(count: number): string {
  if (count === 0) return "";
  if (count === 1) return " 1 value could not be compared, because its secret could not be resolved.";
  return ` ${count} values could not be compared, because their secrets could not be resolved.`;
}

function waiting(count: number): string {
  if (count === 0) return "";
  if (count === 1) return " 1 tenant stays paused until its customer connects it.";
  return ` ${count} tenants stay paused until their customers connect them.`;
}

function withoutOptions(count: number): string {
  if (count === 0) return "";
  return ` ${count === 1 ? "1 tenant waits" : `${count} tenants wait`} for the options of a dynamic choice. ${initSyncStep}.`;
}

const titles = [
  ["platform", "Changed on the platform"],
  ["program", "Declared, but not applied"],
] as const;

/** A difference as the cells of a table. */
export function rowOf({ path, ...difference }: Difference): DriftRow {
  return cellsOf({ ...difference, field: path && formatPath(path) });
}

/** What the cells of a row show. */
interface Cells extends Pick<Difference, "tenant" | "resource" | "isSecret"> {
  tenantId?: number | undefined;
  field?: string | undefined;
  declared?: JsonValue | undefined;
  actual?: JsonValue | undefined;
}

/** A finding of the history as the cells of a table. */
export function cellsOf({ field, declared, actual, isSecret, ...ofTenant }: Cells): DriftRow {
  const shown = (value: JsonValue | undefined) => {
    if (value === undefined) return "(absent)";
    return shorten(typeof value === "string" && (isSecret || field === undefined) ? value : JSON.stringify(value));
  };
  return [shorten(nameOf(ofTenant)), shorten(field ?? "(tenant)"), shown(declared), shown(actual)];
}

/** The tenant with its id, or before it has one with its resource: `acme (5001)`, `acme (TenantFleet billing)`, `acme`. */
function nameOf({ tenant, tenantId, resource }: Pick<Cells, "tenant" | "tenantId" | "resource">): string {
  if (tenantId === undefined) return resource === `Tenant ${tenant}` ? tenant : `${tenant} (${resource})`;
  return tenant === `tenant ${tenantId}` ? tenant : `${tenant} (${tenantId})`;
}

const charactersMaximum = 160;

/** At most 160 characters, none of them cut in two. A character has at most two UTF-16 code units. */
function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * charactersMaximum + 2)];
  const isShort = characters.length <= charactersMaximum && text.length <= 2 * charactersMaximum;
  return oneLine(isShort ? text : `${characters.slice(0, charactersMaximum).join("")}…`);
}
