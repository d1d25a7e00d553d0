import type { TenantRecord } from "../entities/tenant.ts";
import { resolveRelease } from "../operations/release-choice.ts";
import type { Platform } from "../platform.ts";
import { isJsonObject, type JsonObject } from "../rules/json.ts";
import { type DynamicChoice, dynamicChoices } from "../rules/schema-form.ts";
import type { Html } from "./elements.ts";
import { form, selectField } from "./form.ts";
import type { View } from "./site.ts";

/** A choice as a tenant's form shows it: what can be chosen, and what is. */
interface OfferedChoice extends DynamicChoice {
  readonly options: readonly { readonly value: unknown; readonly title: string }[];
  readonly chosen: readonly unknown[];
}

/** The form of a tenant's dynamic choices, with the options that its last `init` run found; undefined if it has no choice. */
export function choicesForm(view: View, tenant: TenantRecord, name: string): Html | undefined {
  const choices = offeredChoices(view.platform, tenant);
  if (choices.length === 0) return undefined;
  return form(view, {
    name,
    action: `/console/tenants/${tenant.id}/choices`,
    submit: "Save choices",
    fields: choices.map(({ key, label, isList, options, chosen }) => {
      const offered = options.map(({ value, title }) => [String(value), title] as const);
      const gone = chosen.map(String).filter((value) => offered.every(([known]) => known !== value));
      return selectField(view, {
        form: name,
        name: key,
        label,
        ...(options.length === 0 ? { hint: "An init sync finds the options." } : {}),
        values: chosen.map(String),
        isMultiple: isList,
        options: [
          ...(isList ? [] : [["", "–"] as const]),
          ...offered,
          ...gone.map((value) => [value, `${value} (no option)`] as const),
        ],
      });
    }),
  });
}

/** A tenant's configs with the choices of its form. A choice without a value is removed. */
export function configsWithChoices(platform: Platform, tenant: TenantRecord, fields: URLSearchParams): JsonObject {
  const configs = { ...tenant.configs };
  for (const { key, isList, options, chosen } of offeredChoices(platform, tenant)) {
    const known = [...options.map(({ value }) => value), ...chosen];
    const sent = fields.getAll(key).filter((text) => text !== "");
    const values = sent.map((text) => known.find((value) => String(value) === text) ?? text);
    if (values.length === 0) delete configs[key];
    else configs[key] = isList ? values : values[0];
  }
  return configs;
}

function offeredChoices(platform: Platform, tenant: TenantRecord): OfferedChoice[] {
  const release = resolveRelease(platform, tenant.integration_id, tenant);
  return dynamicChoices(release?.config_schema ?? null).map((choice) => {
    const found = tenant.status?.dynamic_configs?.[choice.definition];
    const value = tenant.configs?.[choice.key] ?? [];
    return { ...choice, options: Array.isArray(found) ? found.map(optionOf) : [], chosen: [value].flat() };
  });
}

/** An option is a value, or `{ const, title }`. */
function optionOf(given: unknown): OfferedChoice["options"][number] {
  const { const: value = given, title = value } = isJsonObject(given) ? given : {};
  return { value, title: String(title) };
}
