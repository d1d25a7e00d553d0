import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/json/json-value.ts";
import { compileReleaseSchema } from "../../../src/json-schema/index.ts";
import type { IntegrationScope } from "../../../src/operation/integration-scope.ts";
import type { OperationContext } from "../../../src/operation/operation-context.ts";
import { configsMisfit } from "../../../src/resources/fleet-rollout/move.ts";

const secret = { type: "string", writeOnly: true };
const shapes = { oneOf: [{ required: ["password"] }, { required: ["token"] }] };
const properties = { password: secret, token: secret, region: { type: "string" } };

test.each<[string, JsonObject, JsonObject, string | undefined]>([
  ["that fit", { properties }, { region: "eu" }, undefined],
  ["that do not", { properties }, { region: 1 }, "its configs.region does not fit the schema of release 902"],
  ["that lack one of several secrets, as reads leave it out", { properties, ...shapes }, { region: "eu" }, undefined],
  [
    "that lack a secret, and do not fit otherwise",
    { properties, ...shapes },
    { region: 1 },
    "its configs.region does not fit the schema of release 902",
  ],
  [
    "that lack a value that is no secret",
    { properties: { ...properties, token: {} }, required: ["token"] },
    { region: "eu" },
    "its configs.token does not fit the schema of release 902: is required",
  ],
  [
    "that lack a choice which the tenant does not have yet, and have another one",
    {
      schema: {
        properties: { list: { $ref: "#/definitions/lists" }, other: { $ref: "#/definitions/lists", type: "number" } },
        required: ["list"],
        definitions: { lists: { enum: ["placeholder"] } },
      },
    },
    { other: "real" },
    undefined,
  ],
])("configs %s", async (_, schema, configs, misfit) => {
  const context = { configSchemaOf: () => compileReleaseSchema(schema) } as unknown as OperationContext;
  const scope = { releases: { all: async () => [] } } as unknown as IntegrationScope;
  const found = await configsMisfit(context, scope, { configs }, "902");
  if (misfit === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(misfit);
});
