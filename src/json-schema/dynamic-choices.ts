import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";

/**
 * A dynamic choice: a value whose schema refers to a placeholder definition. What may be chosen depends on the tenant: an `init`
 * sync stores it in `status.dynamic_configs`, under the name of the definition.
 */
export interface DynamicChoice {
  /** The keys and indexes from the root of the value. */
  path: readonly string[];
  /** The name of the definition, and the key in `status.dynamic_configs`. */
  definition: string;
  /** What the tenant can choose. `undefined` before its first `init` sync; `[]` if there is nothing to choose. */
  options: readonly ChoiceOption[] | undefined;
}

/** One thing that can be chosen. */
export interface ChoiceOption {
  value: JsonValue;
  /** What the form shows for it. */
  title: string | undefined;
}

/** A tenant's `status.dynamic_configs`: lists of options by the names of definitions. */
export type DynamicConfigs = JsonObject | null | undefined;

/** The options of a definition, each a string or `{ const, title }`. `undefined` if the tenant has none yet. */
export function optionsOf(dynamicConfigs: DynamicConfigs, definition: string): readonly ChoiceOption[] | undefined {
  const list = Object.hasOwn(dynamicConfigs ?? {}, definition) ? dynamicConfigs?.[definition] : undefined;
  if (!Array.isArray(list)) return undefined;
  return list.map((option) => {
    const isTitled = isJsonObject(option) && option.const !== undefined;
    const title = isTitled && typeof option.title === "string" ? option.title : undefined;
    return { value: isTitled ? (option.const ?? null) : option, title };
  });
}

/** What stands in a {@link readableSchema} in place of a reference to a placeholder: the name of the definition. */
export const choiceKeyword = "integration-platform:dynamicChoice";
