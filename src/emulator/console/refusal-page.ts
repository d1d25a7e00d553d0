import { html } from "hono/html";
import type { Html } from "./elements.ts";
import { document } from "./layout.ts";

/** A page that says why there is no other. */
export function refusalPage(title: string, text: string): Html {
  return document(
    title,
    html`<main id="content" tabindex="-1" class="refusal">
      <h1>${title}</h1>
      <p>${text}</p>
      <p><a href="/console">To the console</a></p>
    </main>`,
  );
}
