import { z } from "zod";

/** Specification, "CreateTenant": lowercase alphanumeric, `-` neither first nor last; at most 63 characters. */
export const tenantNameSchema = z
  .string()
  .max(63)
  .regex(
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
    "must be lowercase letters, digits and '-', and neither start nor end with '-'",
  );
