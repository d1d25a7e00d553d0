import { html } from "hono/html";
import type { Html } from "./elements.ts";
import { formTokenField } from "./form-token.ts";
import type { View } from "./site.ts";

interface FormParts {
  /** Unlike that of every other form of the page. */
  readonly name: string;
  readonly action: string;
  readonly submit: string;
  /** What is read out for the button, where its text alone says too little. */
  readonly label?: string | undefined;
  readonly tone?: "primary" | "danger" | "plain" | undefined;
  readonly fields?: readonly Html[] | undefined;
}

/** A form that changes something, with what was wrong when it was sent last. One without fields is a button. */
export function form(view: View, { name, action, submit, label, tone = "primary", fields = [] }: FormParts): Html {
  const problems = view.attempt?.form === name ? view.attempt.problems : [];
  return html`<form method="post" action="${action}" class="${fields.length > 0 ? "fields" : "button-only"}">
    <input type="hidden" name="${formTokenField}" value="${view.formToken.text}">
    ${problems.length > 0 ? problemList(problems) : ""}
    ${fields}
    <button type="submit" class="${tone}" ${label ? html`aria-label="${label}"` : ""}>${submit}</button>
  </form>`;
}

interface FieldParts {
  /** The name of the form that it stands in. */
  readonly form: string;
  readonly name: string;
  readonly label: string;
  /** What it holds unless the form was sent and refused. */
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
  // A line end right after the tag is dropped by browsers, so it is not the text's.
  return labelled(
    field,
    html`<textarea ${identity(field)} rows="${rows}" ${field.isRequired ? "required" : ""} spellcheck="false" autocomplete="off">
${value}</textarea>`,
  );
}

export function selectField(
  view: View,
  field: FieldParts & { readonly options: readonly (readonly [value: string, label: string])[] },
): Html {
  const chosen = fieldValue(view, field);
  return labelled(
    field,
    html`<select ${identity(field)}>
      ${field.options.map(([value, label]) => html`<option value="${value}" ${value === chosen ? "selected" : ""}>${label}</option>`)}
    </select>`,
  );
}

/** Sent as "on" when ticked, else not at all. */
export function checkbox(
  view: View,
  field: Omit<FieldParts, "value"> & { readonly isTicked: boolean; readonly isDisabled?: boolean },
): Html {
  const wasSent = view.attempt?.form === field.form;
  const isTicked = wasSent ? view.attempt?.fields.has(field.name) : field.isTicked;
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

function fieldValue({ attempt }: View, { form, name, value = "" }: FieldParts): string {
  return attempt?.form === form ? (attempt.fields.get(name) ?? "") : value;
}

function problemList(problems: readonly string[]): Html {
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
    <p>Nothing was changed:</p>
    <ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul>
  </div>`;
}
