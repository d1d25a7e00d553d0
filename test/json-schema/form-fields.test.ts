import { expect, test } from "vitest";
import type { JsonObject } from "../../src/json/json-value.ts";
import { compileReleaseSchema, noSchema } from "../../src/json-schema/index.ts";

const control = (scope: string, more: JsonObject = {}) => ({ type: "Control", scope, ...more });
const compiled = compileReleaseSchema({
  schema: { properties: {} },
  uischema: {
    type: "VerticalLayout",
    elements: [
      control("#/properties/level", { label: "Level", admin: true }),
      control("#/properties/smtp/properties/host", { label: "Host", hintText: "Without a port." }),
      control("#/properties/odd~1key%20x"),
      { type: "Label", text: "About" },
      { type: "Divider" },
      null,
      {
        type: "Section",
        label: "Limits",
        hintText: "Per run.",
        elements: [
          { type: "MultiSelectControl", scope: "#/properties/lists", label: "Lists" },
          { type: "Section", label: "Inner", admin: true, elements: [control("#/properties/batch")] },
        ],
      },
      control("#"),
      control("#/definitions/a"),
      control("#/properties"),
    ],
  },
});

test.each<[string[], object]>([
  [["level"], { label: "Level", section: undefined, hint: undefined, isAdminOnly: true }],
  [["smtp", "host"], { path: ["smtp", "host"], label: "Host", hint: "Without a port.", isAdminOnly: false }],
  [["odd/key x"], { label: undefined, isAdminOnly: false }],
  [["lists"], { label: "Lists", section: "Limits", hint: "Per run.", isAdminOnly: false }],
  [["lists", "0"], { path: ["lists"], label: "Lists" }],
  [["batch"], { section: "Inner", hint: "Per run.", isAdminOnly: true }],
])("a value of the form: %j", (path, field) => {
  expect(compiled.formFieldAt(path)).toMatchObject(field);
});

test.each([[["smtp"]], [["unknown"]], [[]], [["definitions"]]])("a value that the form does not show: %j", (path) => {
  expect(compiled.formFieldAt(path)).toBeUndefined();
});

test("a release without a form shows nothing", () => {
  expect(compileReleaseSchema({ properties: { a: {} } }).formFieldAt(["a"])).toBeUndefined();
  expect(noSchema.formFieldAt(["a"])).toBeUndefined();
});
