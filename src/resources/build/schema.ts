import { z } from "zod";
import { lenient } from "../../inputs/lenient.ts";
import { nonEmptyString } from "../../inputs/string-schema.ts";

/** The inputs of a `Build`, as the engine sends them. */
export const buildInputsSchema = z.strictObject({
  integrationId: z.int("must be the id of an integration").positive("must be the id of an integration"),
  tag: nonEmptyString(),
  branch: nonEmptyString().optional(),
  adopt: z.boolean("must be true or false").optional(),
  timeoutSeconds: z.number("must be a number of seconds").positive("must be more than 0").optional(),
});

/** The state of a `Build`: its inputs and its release, which is absent while the build is running. */
export const buildStateSchema = z.object({
  ...buildInputsSchema.shape,
  releaseId: z.int().optional(),
  releaseName: z.string().optional(),
  configVersion: z.string().optional(),
  configSchemaDigest: z.string().optional(),
  metadataSchemaDigest: z.string().optional(),
});

/** The state of a `Build` for its deletion. All of it may be invalid, as deleting does nothing. */
export const buildDeletionSchema = z.object({
  ...lenient(buildStateSchema.shape),
  integrationId: buildInputsSchema.shape.integrationId.catch(0),
  tag: buildInputsSchema.shape.tag.catch(""),
});

export type BuildInputs = z.infer<typeof buildInputsSchema>;
export type BuildState = z.infer<typeof buildStateSchema>;
