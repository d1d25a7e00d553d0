import * as z from "zod";
import { minLength } from "../../text-schema.ts";

/** The environment of the consuming function. */
export const environmentSchema = z.object({
  /** Name of the DynamoDB table of the ledger. */
  LEDGER_TABLE: z.string().check(minLength(1)),
  /** Name of the EventBridge bus. */
  BUS_NAME: z.string().check(minLength(1)),
});
