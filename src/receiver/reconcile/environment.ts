import * as z from "zod";
import { minLength } from "../../text-schema.ts";

/** The environment of the reconciling function. */
export const environmentSchema = z.object({
  /** Name of the DynamoDB table of the ledger. */
  LEDGER_TABLE: z.string().check(minLength(1)),
  /** Name of the EventBridge bus. */
  BUS_NAME: z.string().check(minLength(1)),
  /** Base address of the platform, without `/v2`. */
  PLATFORM_BASE_URL: z.url(),
  /** ARN of the secret in Secrets Manager whose text is the API key. */
  API_KEY_SECRET_ARN: z.string().check(minLength(1)),
  /** How long a webhook may lag behind the list of tenants. */
  GRACE_SECONDS: z.coerce.number().min(0).default(900),
});
