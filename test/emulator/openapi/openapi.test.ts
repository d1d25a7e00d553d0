import { expect, test } from "vitest";
import { call, startEmulator } from "../running-emulator.ts";

// The endpoints of the specification with the statuses that it documents, written down by hand.
const documented: Readonly<Record<string, readonly number[]>> = {
  "POST /v2/sourcecontrol/build": [201, 422],
  "GET /v2/integrations": [200, 404, 422],
  "GET /v2/integrations/{integration_id}": [200, 404, 422],
  "GET /v2/integrations/{integration_id}/releases": [200, 404, 422],
  "GET /v2/integrations/{integration_id}/releases/{release_id}": [200, 404, 422],
  "GET /v2/integrations/{integration_id}/releases/default": [200, 404, 422],
  "GET /v2/integrations/{integration_id}/releases/latest": [200, 404, 422],
  "POST /v2/integrations/{integration_id}/sync": [202, 404, 422],
  "GET /v2/tenants": [200, 404, 422],
  "POST /v2/tenants": [200, 422],
  "POST /v2/tenants/{tenant_id}/sync": [202, 404, 422],
  "PATCH /v2/tenants/{tenant_id}": [200, 404, 422],
  "DELETE /v2/tenants/{tenant_id}": [200, 404, 422],
  "GET /v2/tenants/{tenant_id}/release": [200, 404, 422],
  // Not in the specification: the variant `runsList`.
  "GET /v2/tenants/{tenant_id}/runs": [200, 404, 422],
  "PATCH /v2/tenants/{tenant_id}/connectors/{connector_name}/disconnect": [200, 422],
  "GET /v2/tenants/{tenant_id}/metadata": [200, 404, 422],
  "PATCH /v2/tenants/{tenant_id}/metadata": [200, 404, 422],
  "GET /v2/runs/triggers/{trigger_id}/status": [200, 404, 422],
  "GET /v2/runs/{run_id}/log": [302, 404, 422],
  "POST /v2/tenants/{tenant_id}/connectors/{connector_name}/call": [200, 400, 404, 422],
  "POST /v2/tenants/{tenant_id}/connectors/{connector_name}/soap": [200, 400, 404, 422],
  "POST /v2/tenants/{tenant_id}/connectors/{connector_name}/xml": [200, 400, 404, 422],
};
const keyRefused = [403];

test("describes every endpoint with its documented statuses, and those of a refused key", async () => {
  const document = await read();
  const described = Object.entries(Object(document).paths).flatMap(([path, item]) =>
    Object.entries(Object(item)).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      Object.keys(Object(operation).responses).map(Number),
    ]),
  );
  const expected = Object.entries(documented).map(([name, statuses]) => [
    name,
    [...statuses, ...keyRefused].sort((one, other) => one - other),
  ]);
  expect(Object.fromEntries(described)).toEqual(Object.fromEntries(expected));
});

test("needs no API key, and describes the API key of the API", async () => {
  expect(await read()).toMatchObject({
    openapi: "3.1.0",
    security: [{ apiKey: [] }],
    components: { securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } } },
  });
});

test("gives the limits of a list and the two shapes of a 422", async () => {
  const { paths } = Object(await read());
  const named = new Map<string, unknown>(
    Object(paths["/v2/tenants"].get).parameters.map((parameter: unknown) => [Object(parameter).name, parameter]),
  );
  expect(named.get("limit")).toMatchObject({ required: false, schema: { default: 100, minimum: 1, maximum: 500 } });
  expect(named.get("skip")).toMatchObject({ schema: { default: 0, minimum: 0 } });
  const shape = (path: string) => paths[path].post.responses[422].content["application/json"].schema.$ref;
  expect(shape("/v2/sourcecontrol/build")).toBe("#/components/schemas/ErrorMessage");
  expect(shape("/v2/integrations/{integration_id}/sync")).toBe("#/components/schemas/ErrorMessage");
  expect(shape("/v2/tenants/{tenant_id}/sync")).toBe("#/components/schemas/HTTPValidationError");
});

async function read(): Promise<unknown> {
  const emulator = await startEmulator();
  const { status, body } = await call(emulator, "GET", "/openapi.json", undefined, {});
  expect(status).toBe(200);
  return body;
}
