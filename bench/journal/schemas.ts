import { z } from "zod";

/** A resource in a state: the engine's `apitype.ResourceV3`, as far as a replay changes or follows it. */
const resourceSchema = z.looseObject({
  urn: z.string(),
  delete: z.boolean().optional(),
  pendingReplacement: z.boolean().optional(),
  parent: z.string().optional(),
  dependencies: z.array(z.string()).optional(),
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullable()).optional(),
  deletedWith: z.string().optional(),
  replaceWith: z.array(z.string()).optional(),
  // The engine's replay would rewrite all references to the former names.
  aliases: z.tuple([], "aliases are more than this service knows").optional(),
});

const operationSchema = z.looseObject({ type: z.string(), resource: resourceSchema });

/** `apitype.DeploymentV3`. */
const deploymentSchema = z.looseObject({
  secrets_providers: z.looseObject({ type: z.string() }).optional(),
  resources: z.array(resourceSchema).optional(),
  pending_operations: z.array(operationSchema).optional(),
});

/** `apitype.UntypedDeployment`. */
export const checkpointSchema = z.looseObject({ version: z.int(), deployment: deploymentSchema });

/** `apitype.JournalEntryKind`. A benchmark needs no others. */
export const entryKinds = {
  begin: 0,
  success: 1,
  failure: 2,
  refreshSuccess: 3,
  outputs: 4,
  write: 5,
  secretsManager: 6,
  rebuiltBaseState: 7,
} as const;

/** The index of a resource in the state before the update. */
const oldIndex = z.int().min(0).nullish();
/** The operation that added a resource in this update. */
const operationId = z.int().min(0).nullish();

/** `apitype.JournalEntry`, version 1. */
export const journalEntrySchema = z.looseObject({
  version: z.literal(1),
  kind: z.enum(entryKinds),
  /** Increases with each entry of an update. The engine sends an entry again after a lost answer. */
  sequenceID: z.int(),
  operationID: z.int(),
  removeOld: oldIndex,
  removeNew: operationId,
  pendingReplacementOld: oldIndex,
  pendingReplacementNew: operationId,
  deleteOld: oldIndex,
  deleteNew: operationId,
  state: resourceSchema.optional(),
  operation: operationSchema.optional(),
  isRefresh: z.boolean().optional(),
  secretsProvider: z.looseObject({ type: z.string() }).optional(),
  newSnapshot: deploymentSchema.optional(),
});

export type Resource = z.infer<typeof resourceSchema>;
export type Deployment = z.infer<typeof deploymentSchema>;
export type Checkpoint = z.infer<typeof checkpointSchema>;
export type JournalEntry = z.infer<typeof journalEntrySchema>;
