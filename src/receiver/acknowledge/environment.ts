import * as z from "zod";
import { allowedSourcesSchema } from "./allowed-sources.ts";
import { tokenDigestsSchema } from "./token.ts";

/** The environment of the acknowledging function. */
export const environmentSchema = z.object({
  /** The queue in which webhooks wait for the consumer. */
  QUEUE_URL: z.url(),
  /** One digest of a token, or two, with a comma between; see `tokenDigest`. */
  TOKEN_DIGESTS: tokenDigestsSchema,
  /** Addresses and CIDR ranges with commas between. Default: all. */
  ALLOWED_SOURCES: allowedSourcesSchema.prefault(""),
});
