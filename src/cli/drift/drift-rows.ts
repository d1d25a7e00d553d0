import type { JsonValue } from "../../api/index.ts";
import { inLine } from "../../in-line.ts";
import type { Difference, Drift } from "./drift-of.ts";

/** A drift for people: two parts, of lines of four cells. Plain text that fits in a line; what shows it escapes it. */
export interface DriftText {
  stack: string;
  /** `3 of 12 tenants are not as declared. 1 value could not be compared: the platform hides it.` */
  summary: string;
  parts: { title: string; rows: DriftRow[] }[];
}

export type DriftRow = readonly [tenant: string, field: string, declared: string, actual: string];

export const driftColumns: DriftRow = ["Tenant", "Field", "Declared", "Actual"];

/** The parts that have rows. Values are written as JSON, and cut where they are long. */
export function driftText({ stack, tenants, valuesNotCompared, differences }: Drift): DriftText {
  const count = new Set(differences.map(({ tenant, tenantId }) => tenantId ?? tenant)).size;
  const parts = titles.map(([cause, title]) => ({
    title,
    rows: differences.filter(({ changedOn }) => changedOn === cause).map(rowOf),
  }));
  return {
    stack: cut(stack),
    summary: `${outcomeOf(count, tenants)}${hiddenOf(valuesNotCompared)}`,
    parts: parts.filter(({ rows }) => rows.length > 0),
  };
}

function outcomeOf(count: number, tenants: number): string {
  if (count === 0) return `All ${tenants} tenants are as declared.`;
  return `${count} of ${tenants} tenants ${count === 1 ? "is" : "are"} not as declared.`;
}

function hiddenOf(count: number): string {
  if (count === 0) return "";
  if (count === 1) return " 1 value could not be compared: the platform hides it.";
  return ` ${count} values could not be compared: the platform hides them.`;
}

const titles = [
  ["platform", "Changed on the platform"],
  ["program", "Declared, and not brought about"],
] as const;

function rowOf({ tenant, tenantId, field, declared, actual, isSecret }: Difference): DriftRow {
  const shown = (value: JsonValue | undefined) => {
    if (value === undefined) return "(absent)";
    return cut(typeof value === "string" && (isSecret || field === undefined) ? value : JSON.stringify(value));
  };
  const name = tenantId === undefined || tenant === `tenant ${tenantId}` ? tenant : `${tenant} (${tenantId})`;
  return [cut(name), cut(field ?? "(tenant)"), shown(declared), shown(actual)];
}

const charactersMaximum = 160;

function cut(text: string): string {
  const characters = [...text.slice(0, 2 * charactersMaximum + 2)];
  const isShort = characters.length <= charactersMaximum && text.length <= 2 * charactersMaximum;
  return inLine(isShort ? text : `${characters.slice(0, charactersMaximum).join("")}…`);
}
