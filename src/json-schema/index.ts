export { choiceKeywords, mayBelongTo } from "./choices.ts";
export {
  compileReleaseSchema,
  noSchema,
  type ReleaseSchema,
  uncheckedSchema,
  unknownSchema,
} from "./release-schema.ts";
export { type MissingSecret, missingKeywords, type SchemaViolation } from "./schema-violation.ts";
export { UnusableSchemaError } from "./validator.ts";
