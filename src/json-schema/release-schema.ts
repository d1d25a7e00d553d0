import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft6 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import addFormats from "ajv-formats";
import type { JsonObject } from "../api/index.ts";
import { hasMark, isHidden, isWriteOnly } from "./hidden.ts";
import { describeProblem, type Problem } from "./problem.ts";

/** The config or metadata schema of a release (specification, IntegrationRelease), compiled. */
export interface ReleaseSchema {
  /** What in the value does not fit, each with its path. Values that are unknown yet are passed over. */
  problems(value: object): Problem[];
  /** A copy with the schema's defaults in the places that are empty. */
  withDefaults(value: JsonObject): JsonObject;
  /** Whether the value at this path need not come back as it was written: `writeOnly: true` or `format: password`. */
  isHidden(path: readonly PropertyKey[]): boolean;
  /** Whether it need not come back at all: `writeOnly: true`. */
  isWriteOnly(path: readonly PropertyKey[]): boolean;
}

/** No schema: everything fits. */
export const anyValue: ReleaseSchema = {
  problems: () => [],
  withDefaults: (value) => structuredClone(value),
  isHidden: () => false,
  isWriteOnly: () => false,
};

/**
 * Compiles a release's schema (drafts 6, 7, 2019-09, 2020-12 by its `$schema`; 7 where none is named).
 * Throws an Error where that cannot be done: another draft, a remote `$ref`, no schema at all.
 */
export function compileReleaseSchema(schema: JsonObject): ReleaseSchema {
  const validate = compile(schema, {});
  const fill = compile(schema, { useDefaults: true });
  return {
    problems: (value) => {
      if (validate(value)) return [];
      return (validate.errors ?? []).flatMap((error: ErrorObject) => describeProblem(error, value) ?? []);
    },
    withDefaults: (value) => {
      const filled = structuredClone(value);
      fill(filled);
      return filled;
    },
    isHidden: (path) => hasMark(schema, isHidden, path),
    isWriteOnly: (path) => hasMark(schema, isWriteOnly, path),
  };
}

function compile(schema: AnySchemaObject, options: { useDefaults?: boolean }): ValidateFunction {
  const draft = typeof schema.$schema === "string" ? schema.$schema : "";
  const settings = { allErrors: true, strict: false, verbose: true, logger: false, ...options } as const;
  const ajv = draft.includes("2020-12")
    ? new Ajv2020(settings)
    : draft.includes("2019-09")
      ? new Ajv2019(settings)
      : new Ajv(settings);
  if (draft.includes("draft-06")) ajv.addMetaSchema(draft6);
  addFormats.default(ajv);
  return ajv.compile(schema);
}
