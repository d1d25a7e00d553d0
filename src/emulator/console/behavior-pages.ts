import { html } from "hono/html";
import type { FaultSpec } from "../faults/fault.ts";
import { type FaultKind, faultKinds } from "../faults/kinds.ts";
import type { JsonObject } from "../rules/json.ts";
import {
  defaultVariants,
  type VariantDescription,
  type Variants,
  variantDescriptions,
  variantTopics,
} from "../variants.ts";
import { badge, type Content, type Html, live, prettyJson, table, tabs, verbatim, withCode } from "./elements.ts";
import { form, radioGroup, textArea, textField } from "./form.ts";
import { page } from "./layout.ts";
import type { View } from "./site.ts";

/** The names of the forms on the page of variants. */
export const variantForms = { set: "variant", reset: "reset-variants" } as const;

/** Every variant: its question, its values with their meanings, the default, and which one is in force. */
export function variantPage(view: View): Html {
  const topics = Object.entries(variantTopics).map(([key, label]) => ({
    key,
    label,
    members: variantDescriptions.filter(([, { topic }]) => topic === key),
  }));
  return page(
    view,
    "behavior",
    "Variants",
    html`<h1>Variants &amp; faults</h1>
      ${behaviorTabs("variants")}
      <p>
        The specification leaves questions open. A variant is one of them, and its value says how this emulator answers.
        Try the others: a program should work with each.
      </p>
      ${live("in-force", inForce(view))}
      <nav class="contents" aria-label="Variants">
        ${topics.map(
          ({ label, members }) => html`<p>
            <strong>${label}:</strong>
            ${members.map(([name]) => html`<a href="#${name}">${name}</a> `)}
          </p>`,
        )}
      </nav>
      ${form(view, {
        name: variantForms.set,
        action: "/console/variants",
        submit: "Set variants",
        isWide: true,
        fields: topics.map(
          ({ label, members }) => html`<h2>${label}</h2>
            <div class="columns">${members.map(([name, description]) => variantField(view, name, description))}</div>`,
        ),
      })}`,
  );
}

/** The variants that do not have their default, as `name=value`. */
export function changedVariants(variants: Variants): string[] {
  const defaults = new Map(Object.entries(defaultVariants));
  return Object.entries(variants)
    .filter(([name, value]) => defaults.get(name) !== value)
    .map(([name, value]) => `${name}=${value}`);
}

function inForce(view: View): Html {
  const { platform } = view;
  const changed = changedVariants(platform.variants);
  const shown = changed.length > 0 ? changed : ["configs=merge"];
  const options = shown.map((assignment) => ` --variant ${assignment}`).join("");
  const change = Object.fromEntries(shown.map((assignment) => assignment.split("=")));
  return html`<section class="start" aria-label="In force">
    ${
      changed.length === 0
        ? html`<p>All variants have their defaults. To start the emulator with another value, or to set it while it runs:</p>`
        : html`<p>Not the default: ${changed.map((assignment) => html`${badge(assignment, "busy")} `)}</p>
          <p>To start the emulator like this, or to set it in another one that runs:</p>`
    }
    ${verbatim("Commands", `npm run emulator --${options}\n\n${shellRequest(platform.url, "PATCH", "variants", change)}`)}
    ${
      changed.length === 0
        ? ""
        : form(view, {
            name: variantForms.reset,
            action: "/console/variants/reset",
            submit: "Set all to their defaults",
            tone: "plain",
          })
    }
  </section>`;
}

function variantField(view: View, name: string, { question, values }: VariantDescription): Html {
  const current = new Map(Object.entries(view.platform.variants)).get(name) ?? "";
  const options = values.map(([value, meaning], index) => ({
    value,
    meaning: value === meaning ? "" : meaning,
    note: index === 0 ? "default" : "",
  }));
  const more = name === "visibility" ? lagField(view) : undefined;
  const field = { form: variantForms.set, name, label: name, hint: question, value: current, options, more };
  return live(name, radioGroup(view, field));
}

function lagField(view: View): Html {
  return textField(view, {
    form: variantForms.set,
    name: "lagSeconds",
    label: "lagSeconds",
    hint: "For lagging: after how many seconds reads show a write. On the command line: --lag-seconds",
    value: String(view.platform.lagSeconds),
    type: "number",
  });
}

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

/** The tabs of the section "Variants & faults". */
function behaviorTabs(current: "variants" | "faults"): Html {
  return tabs("Variants and faults", [
    { label: "Variants", href: "/console/variants", isCurrent: current === "variants" },
    { label: "Faults", href: "/console/faults", isCurrent: current === "faults" },
  ]);
}

/** A request to `/_emulator`, as a command for a shell. */
function shellRequest(url: string, method: "POST" | "PATCH", resource: string, body: JsonObject): string {
  const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl -X ${method} ${url}/_emulator/${resource} -H 'content-type: application/json' -d '${quoted}'`;
}
