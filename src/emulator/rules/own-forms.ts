import type { Variants } from "../variants.ts";
import { isExactNumber, isJsonObject, type JsonObject } from "./json.ts";

type Forms = Pick<Variants, "numbers" | "textForm" | "listDefaults" | "emptyValues">;

/** Configs or metadata in the platform's own form; see the variants `numbers`, `textForm`, `listDefaults` and `emptyValues`. */
export function valuesInOwnForm(forms: Forms, values: JsonObject): JsonObject {
  const entries = Object.entries(values).filter(([, value]) => forms.emptyValues === "kept" || !isEmpty(value));
  return Object.fromEntries(entries.map(([key, value]) => [key, inOwnForm(forms, value)]));
}

function inOwnForm(forms: Forms, value: unknown): unknown {
  if (typeof value === "string") return forms.textForm === "trimmed" ? value.trim() : value;
  if (typeof value === "number") return forms.numbers === "strings" ? String(value) : value;
  if (isExactNumber(value)) return forms.numbers === "strings" ? value.rawJSON : value;
  if (isJsonObject(value)) return valuesInOwnForm(forms, value);
  if (!Array.isArray(value)) return value;
  const defaults = forms.listDefaults === "added" ? { enabled: true } : {};
  return value.map((item: unknown) => inOwnForm(forms, isJsonObject(item) ? { ...defaults, ...item } : item));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === "" || (isJsonObject(value) && Object.keys(value).length === 0);
}

/** A cron string as responses show it; see the variant `scheduleForm`. */
export function scheduleInOwnForm<Cron extends string | null>(
  { scheduleForm }: Pick<Variants, "scheduleForm">,
  cron: Cron,
): Cron | string {
  if (cron === null || scheduleForm === "kept" || scheduleForm === "shifted") return cron;
  if (scheduleForm === "suffixed") return `${cron} UTC`;
  const fields = cron.trim().split(/\s+/);
  return fields.map((field, index) => field.replaceAll("*/", `${ranges[index] ?? "*"}/`)).join(" ");
}

const ranges = ["0-59", "0-23", "1-31", "1-12", "0-6"];

/** A cron string as it is stored; see the variant `scheduleForm`. @param before the one that it replaces. */
export function storedSchedule(
  { scheduleForm }: Pick<Variants, "scheduleForm">,
  cron: string | null,
  before: string | null = null,
): string | null {
  if (cron === null || scheduleForm !== "shifted") return cron;
  const later = (minutes: number) => cron.replace(/^\s*\d+(?=\s)/, (minute) => String((Number(minute) + minutes) % 60));
  return later(3) === before ? later(7) : later(3);
}
