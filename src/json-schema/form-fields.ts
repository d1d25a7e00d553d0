import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { isAtOrWithin, type KeyPath } from "../json/key-path.ts";
import { keysOfReference } from "./references.ts";

/** How a form shows a value of the configs or metadata. */
export interface FormField {
  /** The keys from the root of the value. */
  path: readonly string[];
  /** What the form writes beside the field. */
  label: string | undefined;
  /** The section of the form, and its hint. */
  section: string | undefined;
  hint: string | undefined;
  /** Whether only the platform's users see it: `admin: true` at its element or at one around it. Otherwise the customer may edit it. */
  isAdminOnly: boolean;
}

/**
 * The fields of a form in JSON Forms, in its order: each element with a `scope`, with what the elements around it say. Other
 * elements, such as a `Label` or a `Divider`, show no value.
 */
export function formFields(uischema: JsonObject | undefined): FormField[] {
  return uischema === undefined ? [] : fieldsIn(uischema, {});
}

type Around = Partial<Pick<FormField, "section" | "hint" | "isAdminOnly">>;

function fieldsIn(element: JsonValue, around: Around): FormField[] {
  if (!isJsonObject(element)) return [];
  const [path, label] = [pathOf(element.scope), textAt(element, "label")];
  const hint = textAt(element, "hintText") ?? around.hint;
  const isAdminOnly = around.isAdminOnly === true || element.admin === true;
  const { section } = around;
  const own: FormField[] = path === undefined ? [] : [{ path, label, section, hint, isAdminOnly }];
  const inside = { section: path === undefined ? (label ?? section) : section, hint, isAdminOnly };
  return [...own, ...[element.elements ?? []].flat().flatMap((inner) => fieldsIn(inner, inside))];
}

/** The field that shows the value at a path, or a value around it. */
export function fieldAt(fields: readonly FormField[], path: KeyPath): FormField | undefined {
  const around = fields.filter((field) => isAtOrWithin(path, field.path));
  return around.toSorted((one, other) => other.path.length - one.path.length)[0];
}

/** `#/properties/a/properties/b` as `["a", "b"]`. */
function pathOf(scope: JsonValue | undefined): string[] | undefined {
  if (typeof scope !== "string" || !/^#(\/properties\/[^/]+)+$/.test(scope)) return undefined;
  return keysOfReference(scope).filter((_, index) => index % 2 === 1);
}

function textAt(element: JsonObject, key: string): string | undefined {
  const text = element[key];
  return typeof text === "string" && text !== "" ? text : undefined;
}
