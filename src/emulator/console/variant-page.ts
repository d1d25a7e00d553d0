import { html } from "hono/html";
import {
  defaultVariants,
  type VariantDescription,
  type Variants,
  variantDescriptions,
  variantTopics,
} from "../variants.ts";
import { behaviorTabs, shellRequest } from "./behavior.ts";
import { badge, type Html, live, verbatim } from "./elements.ts";
import { form, radioGroup, textField } from "./form.ts";
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
