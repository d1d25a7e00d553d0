import { html } from "hono/html";
import type { OpenApiDocument } from "../openapi/document.ts";
import { type ApiEndpoint, endpointSection, methodBadge, ofEveryEndpoint } from "./api-endpoint.ts";
import { type Html, table, verbatim } from "./elements.ts";
import { page } from "./layout.ts";
import { schemaFields, schemaLink } from "./schema-text.ts";
import type { View } from "./site.ts";

/** The OpenAPI description for people: the endpoints by noun, then the shapes of bodies and errors. */
export function apiPage(view: View): Html {
  const document = view.describeApi();
  const { info, tags, components } = document;
  const groups = tags.map(({ name, description }) => ({ name, description, members: endpointsOf(document, name) }));
  return page(
    view,
    "api",
    "API",
    html`<h1>${info.title}</h1>
      <p>${info.description} For programs: <a href="/openapi.json">the same in OpenAPI 3.1</a>.</p>
      <p>
        Each request has an API key in the header <code>x-api-key</code>. Without a valid one, the response is a
        ${ofEveryEndpoint.join(" or ")} with
        ${schemaLink("KeyRefused")}. Bodies are JSON.
      </p>
      ${verbatim("Example", `curl -H 'x-api-key: <API key>' ${view.platform.url}/v2/tenants`)}
      <p class="hint">
        <a href="/console/settings/api-access">Settings, API Access</a> creates keys.
        <a href="/console/variants">Variants</a> choose how the emulator answers what the specification leaves open.
      </p>
      <nav class="contents" aria-label="Endpoints">
        ${groups.map(
          ({ name, members }) => html`<h2><a href="#${name}">${titleOf(name)}</a></h2>
            <ul>${members.map(contentsEntry)}</ul>`,
        )}
        <h2><a href="#shapes">Shapes</a></h2>
        <p>of bodies and errors</p>
      </nav>
      ${groups.map(
        ({ name, description, members }) => html`<h2 id="${name}">${titleOf(name)}</h2>
          <p class="hint">${description}</p>
          ${members.map(endpointSection)}`,
      )}
      <h2 id="shapes">Shapes</h2>
      <p class="hint">A response may have more fields than these. Fields of a response that are not required may be null or absent.</p>
      ${Object.entries(components.schemas).map(([name, schema]) => shapeSection(name, schema))}`,
  );
}

function endpointsOf({ paths }: OpenApiDocument, tag: string): ApiEndpoint[] {
  const found = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return found.sort((one, other) => one.path.localeCompare(other.path));
}

function contentsEntry({ method, path, operation }: ApiEndpoint): Html {
  return html`<li>
    <a href="#${operation.operationId}">${methodBadge(method)} <code>${path}</code></a> ${operation.summary}
  </li>`;
}

function shapeSection(name: string, schema: OpenApiDocument["components"]["schemas"][string]): Html {
  const rows = schemaFields(schema).map(({ path, type, isRequired, notes }) => [
    html`<code>${path}</code>`,
    type,
    isRequired ? "yes" : "no",
    notes || "–",
  ]);
  return html`<section class="described" id="schema-${name}">
    <h3>${name}</h3>
    <p class="hint">${String(schema.description ?? "")}</p>
    ${table({ caption: `Fields of ${name}`, columns: ["Field", "Type", "Required", "Notes"], rows, empty: "Any fields." })}
  </section>`;
}

function titleOf(tag: string): string {
  return `${tag.slice(0, 1).toUpperCase()}${tag.slice(1)}`;
}
