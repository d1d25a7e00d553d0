import { z } from "zod";
import { maxLength } from "../../text-schema.ts";

/** Specification, "CreateTenant": lowercase alphanumeric, `-` neither first nor last; at most 63 characters. */
export const tenantNameSchema = z
  .string()
  .check(maxLength(63))
  .regex(
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
    "must be lowercase letters, digits and '-', and neither start nor end with '-'",
  );
