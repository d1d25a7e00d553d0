export { compileReleaseSchema, noSchema, type ReleaseSchema, uncheckedSchema } from "./release-schema.ts";
export type { SchemaViolation } from "./schema-violation.ts";
export { UnusableSchemaError } from "./validator.ts";
