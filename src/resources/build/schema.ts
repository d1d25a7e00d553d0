import { z } from "zod";
import { filledText } from "../../text-schema.ts";
import { lenient } from "../state-schema.ts";

/** The inputs of a `Build`, as the engine hands them over. */
export const buildInputsSchema = z.strictObject({
  integrationId: z.int("must be the id of an integration").positive("must be the id of an integration"),
  tag: filledText(),
  branch: filledText().optional(),
  adopt: z.boolean("must be true or false").optional(),
  timeoutSeconds: z.number("must be a number of seconds").positive("must be more than 0").optional(),
});

/** What is stored of a `Build`: its inputs and its release, which is not there yet while the build is under way. */
export const buildStateSchema = z.object({
  ...buildInputsSchema.shape,
  releaseId: z.int().optional(),
  releaseName: z.string().optional(),
  configVersion: z.string().optional(),
  configSchemaDigest: z.string().optional(),
  metadataSchemaDigest: z.string().optional(),
});

/** What deleting a stored `Build` needs: nothing, as its release stays. */
export const buildDeletionSchema = z.object({
  ...lenient(buildStateSchema.shape),
  integrationId: buildInputsSchema.shape.integrationId.catch(0),
  tag: buildInputsSchema.shape.tag.catch(""),
});

export type BuildInputs = z.infer<typeof buildInputsSchema>;
export type BuildState = z.infer<typeof buildStateSchema>;
