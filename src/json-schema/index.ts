export { choiceKeywords, mayBelongTo } from "./choices.ts";
export type { ChoiceOption, DynamicChoice, DynamicConfigs } from "./dynamic-choices.ts";
export type { FormField } from "./form-fields.ts";
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
export { jsonSchemaOf, schemaParts } from "./wrapped-schema.ts";
