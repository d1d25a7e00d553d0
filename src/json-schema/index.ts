export { choiceKeywords, mayBelongTo } from "./choices.ts";
export type { MissingSecret } from "./missing-secrets.ts";
export {
  compileReleaseSchema,
  noSchema,
  type ReleaseSchema,
  uncheckedSchema,
  unknownSchema,
} from "./release-schema.ts";
export { missingKeywords } from "./schema-violation.ts";
export { UnusableSchemaError } from "./validator.ts";
export type { SchemaViolation } from "./violation-message.ts";
