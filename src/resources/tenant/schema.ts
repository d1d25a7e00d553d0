import { z } from "zod";
import { filledText, minLength } from "../../text-schema.ts";
import { freeFormSchema, secretPathsSchema } from "../input-schema.ts";
import { lenient } from "../state-schema.ts";

const channelWords = 'must be "Latest" or "Default"';

/** The ways to name a release. */
export const releaseWays = {
  id: z.int("must be a whole number").positive("must be a positive number").optional(),
  tag: filledText().optional(),
  channel: z.enum(["Latest", "Default"], channelWords).optional(),
};

/** Which release a tenant runs: one of the three. The type is that of the state, which may hold any word for a channel. */
export const releaseSelectorSchema = z
  .strictObject(
    {
      ...releaseWays,
      channel: z
        .string(channelWords)
        .regex(/^(Latest|Default)$/, channelWords)
        .optional(),
    },
    "must be { id }, { tag } or { channel }",
  )
  .refine(isOneWay, { error: "give the release one way only: { id }, { tag } or { channel }" });

export function isOneWay(release: object): boolean {
  return Object.values(release).filter((way) => way !== undefined).length === 1;
}

/** Take-over of a tenant that exists: see {@link TenantInputs.adopt}. */
export const adoptSchema = z.union([z.enum(["never", "safe"]), z.literal(true), z.int().positive()], {
  error: 'must be "never", "safe", true or the id of the tenant to take over',
});

/** What can be declared of a tenant besides its integration. What is not declared is left as it is. */
const settingsShape = {
  name: filledText(),
  schedule: filledText('must be a cron text, or "none"').optional(),
  release: releaseSelectorSchema.optional(),
  paused: z.boolean("must be true or false").optional(),
  configs: freeFormSchema.optional(),
  metadata: freeFormSchema.optional(),
};

/** The inputs of a `Tenant`, as the engine hands them over. */
export const tenantInputsSchema = z.strictObject({
  integration: z.union([z.string().check(minLength(1)), z.int().positive()], {
    error: "must be the name or the id of an integration",
  }),
  ...settingsShape,
  adopt: adoptSchema.optional(),
  forceArchive: z.boolean("must be true or false").optional(),
  onRemove: z.enum(["archive", "forget"], 'must be "archive" or "forget"').optional(),
  /** The resource's logical name, where it is not the tenant's name: which resource answers for the tenant. */
  logicalName: z.string().optional(),
  /** Where the secrets are: a leaf that becomes secret, or no longer is, must be stored anew. */
  secretPaths: secretPathsSchema,
});

/** Settings as a read observes them: of another form than the inputs may have, where someone set them by hand. */
export const observedShape = {
  name: z.string(),
  schedule: z.string().optional(),
  release: z
    .object({ id: z.number().optional(), tag: z.string().optional(), channel: z.string().optional() })
    .optional(),
};

/** What cannot be read may have meant to keep the tenant, and archiving is for ever. */
export const unreadableMeansForget = tenantInputsSchema.shape.onRemove.catch("forget");

/** Inputs as last observed on the platform: after a refresh, the engine has them compared with those of before. */
export const observedInputsSchema = z.object({ ...tenantInputsSchema.shape, ...observedShape });

/** What is stored of a `Tenant`: its inputs as last observed on the platform, and its ids. No volatile state. */
export const tenantStateSchema = z.object({
  ...observedInputsSchema.shape,
  tenantId: z.int(),
  integrationId: z.int(),
  /** Where declared values did not come back as they were last written, because the platform hides them. Absent: nowhere. */
  unreadablePaths: z.array(z.array(z.string())).optional(),
  /** The name as it was last declared, where the observed one is another. */
  declaredName: z.string().optional(),
});

/** What deleting a stored `Tenant` needs: its ids. The rest is left out where it cannot be read. */
export const tenantDeletionSchema = z.object({
  ...lenient(tenantStateSchema.shape),
  name: observedShape.name.catch(""),
  integration: tenantStateSchema.shape.integration.catch(""),
  onRemove: unreadableMeansForget,
});

export type ReleaseSelector = z.infer<typeof releaseSelectorSchema>;
export type TenantInputs = z.infer<typeof tenantInputsSchema>;
export type TenantState = z.infer<typeof tenantStateSchema>;
