import { html } from "hono/html";
import { type Html, withCode } from "./elements.ts";
import type { View } from "./site.ts";

interface FormParts {
  /** The name of the form. No other form of the page has it. */
  readonly name: string;
  readonly action: string;
  readonly submit: string;
  /** The accessible name of the button, where its text alone is not enough. */
  readonly label?: string | undefined;
  readonly tone?: "primary" | "danger" | "plain" | undefined;
  readonly fields?: readonly Html[] | undefined;
  /** Whether the form is as wide as the page. Its button then stays visible, because the form is long. */
  readonly isWide?: boolean | undefined;
}

/** A form that changes something. After a refusal it lists the problems. A form without fields is only a button. */
export function form(
  view: View,
  { name, action, submit, label, tone = "primary", fields = [], isWide }: FormParts,
): Html {
  const problems = view.refusedForm?.name === name ? view.refusedForm.problems : [];
  const layout = fields.length === 0 ? "button-only" : isWide ? "wide" : "fields";
  return html`<form method="post" action="${action}" class="${layout}">
    ${problems.length > 0 ? problemList(problems) : ""}
    ${fields}
    <button type="submit" class="${tone}" ${label ? html`aria-label="${label}"` : ""}>${submit}</button>
  </form>`;
}

interface FieldParts {
  /** The name of the form that the field belongs to. */
  readonly form: string;
  readonly name: string;
  readonly label: string;
  /** The value of the field. After a refusal, the field shows the value that was sent instead. */
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
}

export function textField(
  view: View,
  field: FieldParts & { readonly isRequired?: boolean; readonly type?: "text" | "email" | "url" | "number" },
): Html {
  return labelled(
    field,
    html`<input ${identity(field)} type="${field.type ?? "text"}" value="${fieldValue(view, field)}"
      ${field.isRequired ? "required" : ""} autocomplete="off" spellcheck="false">`,
  );
}

/** Several lines of text, for JSON. */
export function textArea(view: View, field: FieldParts & { readonly isRequired?: boolean }): Html {
  const value = fieldValue(view, field);
  const rows = Math.min(Math.max(value.split("\n").length + 1, 4), 18);
  // Browsers drop the line end after the opening tag, so it does not become part of the value.
  return labelled(
    field,
    html`<textarea ${identity(field)} rows="${rows}" ${field.isRequired ? "required" : ""} spellcheck="false" autocomplete="off">
${value}</textarea>`,
  );
}

/** @param field.values what is chosen in place of `value`, for a field of which several options may be (`isMultiple`). */
export function selectField(
  view: View,
  field: FieldParts & {
    readonly options: readonly (readonly [value: string, label: string])[];
    readonly values?: readonly string[];
    readonly isMultiple?: boolean;
  },
): Html {
  const { refusedForm } = view;
  const isRefused = refusedForm?.name === field.form;
  const chosen = isRefused ? refusedForm.fields.getAll(field.name) : (field.values ?? [field.value ?? ""]);
  return labelled(
    field,
    html`<select ${identity(field)} ${field.isMultiple ? "multiple" : ""}>
      ${field.options.map(([value, label]) => html`<option value="${value}" ${chosen.includes(value) ? "selected" : ""}>${label}</option>`)}
    </select>`,
  );
}

/** A choice of one value, with what each means. */
export function radioGroup(
  view: View,
  field: FieldParts & {
    readonly options: readonly { readonly value: string; readonly meaning: string; readonly note: string }[];
    /** Fields that belong to the choice. */
    readonly more?: Html | undefined;
  },
): Html {
  const chosen = fieldValue(view, field);
  const radios = field.options.map(({ value, meaning, note }) => {
    const id = `${idOf(field)}-${value}`;
    return html`<div class="field tick choice">
      <input type="radio" id="${id}" name="${field.name}" value="${value}" ${value === chosen ? "checked" : ""}>
      <label for="${id}"><code>${value}</code>${meaning === "" ? "" : html`: ${withCode(meaning)}`} ${note === "" ? "" : html`<small>(${note})</small>`}</label>
    </div>`;
  });
  return html`<fieldset ${field.hint ? html`aria-describedby="${idOf(field)}-hint"` : ""}>
    <legend><code>${field.label}</code></legend>
    ${field.hint ? html`<p class="hint" id="${idOf(field)}-hint">${withCode(field.hint)}</p>` : ""}
    ${radios} ${field.more ?? ""}
  </fieldset>`;
}

/** A checkbox. A browser sends "on" for a ticked one, and nothing for another. */
export function checkbox(
  view: View,
  field: Omit<FieldParts, "value"> & { readonly isTicked: boolean; readonly isDisabled?: boolean },
): Html {
  const wasSent = view.refusedForm?.name === field.form;
  const isTicked = wasSent ? view.refusedForm?.fields.has(field.name) : field.isTicked;
  return html`<div class="field tick">
    <input type="checkbox" ${identity(field)} ${isTicked ? "checked" : ""} ${field.isDisabled ? "disabled" : ""}>
    <label for="${idOf(field)}">${field.label}</label>
  </div>`;
}

function labelled(field: FieldParts, control: Html): Html {
  return html`<div class="field">
    <label for="${idOf(field)}">${field.label}</label>
    ${field.hint ? html`<p class="hint" id="${idOf(field)}-hint">${field.hint}</p>` : ""}
    ${control}
  </div>`;
}

function identity(field: Pick<FieldParts, "form" | "name" | "hint">): Html {
  const described = field.hint ? html`aria-describedby="${idOf(field)}-hint"` : "";
  return html`id="${idOf(field)}" name="${field.name}" ${described}`;
}

function idOf({ form, name }: Pick<FieldParts, "form" | "name">): string {
  return `${form}-${name}`;
}

function fieldValue({ refusedForm }: View, { form, name, value = "" }: FieldParts): string {
  return refusedForm?.name === form ? (refusedForm.fields.get(name) ?? "") : value;
}

function problemList(problems: readonly string[]): Html {
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
    <p>Nothing was changed:</p>
    <ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul>
  </div>`;
}
