import { html } from "hono/html";
import type { FaultSpec } from "../faults/fault.ts";
import { type FaultKind, faultKinds } from "../faults/kinds.ts";
import { behaviorTabs, shellRequest } from "./behavior.ts";
import { type Content, type Html, live, prettyJson, table, verbatim, withCode } from "./elements.ts";
import { form, textArea } from "./form.ts";
import { page } from "./layout.ts";
import type { View } from "./site.ts";

/** The names of the forms on the page of faults. */
export const faultForms = { add: "new-fault", clear: "clear-faults" } as const;

/** The pending faults, a form to add one, and every kind of fault. @param kind the kind that the form shows. */
export function faultPage(view: View, kind: FaultSpec["kind"] = "status"): Html {
  return page(
    view,
    "behavior",
    "Faults",
    html`<h1>Variants &amp; faults</h1>
      ${behaviorTabs("faults")}
      <p>
        A fault is something that goes wrong with the next request to the API that matches it. Add one, run
        <code>pulumi up</code>, and see what your program does.
      </p>
      <h2>Pending faults</h2>
      ${live("pending", pending(view))}
      <h2 id="add">Add a fault</h2>
      ${form(view, {
        name: faultForms.add,
        action: "/console/faults",
        submit: "Add fault",
        fields: [
          textArea(view, {
            form: faultForms.add,
            name: "fault",
            label: "Fault",
            hint: "A JSON object: a kind with its fields, and the fields of every fault. Each kind below has an example.",
            value: prettyJson(faultKinds[kind].example),
            isRequired: true,
          }),
        ],
      })}
      <h2>The fields of every fault</h2>
      ${table({ caption: "The fields of every fault", columns: ["Field", "Meaning"], rows: commonFields, empty: "" })}
      <h2>The kinds</h2>
      ${Object.values(faultKinds).map((described) => kindSection(view, described))}`,
  );
}

const commonFields: readonly (readonly Content[])[] = [
  ["match.method", "The method of the request. Without it: any."],
  ["match.path", "A regular expression for the path. Without it: any."],
  ["match.query", "A regular expression for the query, from its ? on. Without it: any."],
  ["skip", "How many matching requests pass first. Default 0."],
  ["times", "How many requests the fault applies to. Default 1; of a rate limit, any number."],
];

function pending(view: View): Html {
  const faults = view.faults.list();
  const rows = faults.map(({ kind, ...fields }): Content[] => [kind, html`<code>${JSON.stringify(fields)}</code>`]);
  const empty = "No faults: every request is answered as usual.";
  return html`${table({ caption: "Pending faults", columns: ["Kind", "Fields"], rows, empty })}
    ${
      faults.length === 0
        ? ""
        : form(view, {
            name: faultForms.clear,
            action: "/console/faults/clear",
            submit: "Remove all faults",
            tone: "plain",
          })
    }`;
}

function kindSection({ platform }: View, { meaning, takesEffect, example }: FaultKind): Html {
  return html`<section class="described" id="${example.kind}">
    <h3><code>${example.kind}</code></h3>
    <p>${withCode(meaning)}</p>
    <p class="hint">${withCode(effects[takesEffect])}</p>
    ${verbatim(`Request that adds the fault ${example.kind}`, shellRequest(platform.url, "POST", "faults", example))}
    <p><a href="/console/faults?kind=${example.kind}#add">Put this example into the form</a></p>
  </section>`;
}

const effects: Readonly<Record<FaultKind["takesEffect"], string>> = {
  no: "The request has no effect.",
  yes: "The request takes effect.",
  optional: "The request has no effect, unless `applied` is true.",
};
