export type { Problem } from "./problem.ts";
export {
  anyValue,
  compileReleaseSchema,
  type ReleaseSchema,
  UnusableSchemaError,
  uncheckableSchema,
} from "./release-schema.ts";
export { hasUnknown, isUnknown, type Unknown, unknownValue, valueAt } from "./unknown.ts";
