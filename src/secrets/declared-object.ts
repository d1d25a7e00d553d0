import * as z from "zod";
import { isJsonObject, type JsonObject } from "../json/json-value.ts";
import { malformedIn } from "./walk.ts";

/**
 * A free-form object as it is declared: it may refer to secrets. What looks like a reference and is none is an issue at its
 * path.
 */
export const declaredObjectSchema = z
  .custom<JsonObject>(isJsonObject, "must be an object of keys and values")
  .check(({ value, issues }) => {
    for (const { path, value: malformed, problem } of malformedIn(value)) {
      issues.push({ code: "custom", path: [...path], message: problem, input: malformed });
    }
  });
