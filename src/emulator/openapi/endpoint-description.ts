import type { z } from "zod";
import type { ComponentName } from "./components.ts";

/** What OpenAPI says about one endpoint of the specification. */
export interface EndpointDescription {
  readonly method: "get" | "post" | "patch" | "delete";
  /** The path, with its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: { readonly schema: ComponentName; readonly isOptional?: true };
  /** The documented statuses, each with the shape of its body: one object, a list of objects, or no body (undefined). */
  readonly responses: Readonly<Record<number, ComponentName | readonly [ComponentName] | undefined>>;
}

/** The errors of most endpoints: specification, "Error shapes". */
export const usualErrors = { 404: "ErrorMessage", 422: "HTTPValidationError" } as const;
