import { html } from "hono/html";
import type { Operation, ResponseObject } from "../openapi/document.ts";
import type { Parameter } from "../openapi/parameters.ts";
import { badge, type Content, type Html, table, withCode } from "./elements.ts";
import { schemaNotes, schemaType } from "./schema-text.ts";

/** An operation of the API with its place. */
export interface ApiEndpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** One endpoint: its parameters, the shape of its body, and its responses. */
export function endpointSection({ method, path, operation }: ApiEndpoint): Html {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  return html`<section class="described" id="${operationId}">
    <h3>${methodBadge(method)} <code>${path}</code></h3>
    <p>${summary}</p>
    ${parameters.length === 0 ? "" : parameterTable(`${method} ${path}`, parameters)}
    ${requestBody ? html`<p>Body: ${schemaType(requestBody.content["application/json"].schema)}${requestBody.required ? "" : ", optional"}</p>` : ""}
    ${table({
      caption: `Responses of ${method} ${path}`,
      columns: ["Status", "When", "Body"],
      rows: Object.entries(responses)
        .filter(([status]) => !ofEveryEndpoint.includes(status))
        .map(([status, response]) => responseRow(status, response)),
      empty: "",
    })}
  </section>`;
}

/** The statuses that a refused API key may have. They are described once, for all endpoints. */
export const ofEveryEndpoint: readonly string[] = ["403"];

/** The method of a request. The colour only repeats what the word says. */
export function methodBadge(method: string): Html {
  return badge(method, method === "GET" ? "good" : method === "DELETE" ? "bad" : "busy");
}

function parameterTable(endpoint: string, parameters: readonly Parameter[]): Html {
  return table({
    caption: `Parameters of ${endpoint}`,
    columns: ["Parameter", "In", "Type", "Required", "Notes"],
    rows: parameters.map((parameter): Content[] => [
      html`<code>${parameter.name}</code>`,
      parameter.in,
      schemaType(parameter.schema),
      parameter.required ? "yes" : "no",
      parameterNotes(parameter),
    ]),
    empty: "",
  });
}

function parameterNotes({ schema, example }: Parameter): string {
  const notes = [schemaNotes(schema), example === undefined ? "" : `for example ${example}`];
  return notes.filter((note) => note !== "").join("; ") || "–";
}

function responseRow(status: string, { description, content }: ResponseObject): Content[] {
  const body = content === undefined ? "none" : schemaType(content["application/json"].schema);
  return [badge(status, Number(status) < 400 ? "good" : "bad"), withCode(description), body];
}
