import { bool, bytes, double, field, int32, optional, repeated, string } from "./field.ts";
import { embedded, map } from "./message.ts";

// The messages of pulumi/proto/pulumi/provider.proto, plugin.proto and engine.proto that a provider of resources needs. Each
// constant is the table of a message: the names of its fields, their numbers and their types. `decode` and `encode` in
// message.ts read and write a message by its table. Fields of features that this provider does not announce (views, references
// to services of the engine) are left out.

/** The bytes of a `google.protobuf.Struct`, which `readStruct` and `writeStruct` convert. An absent one is not an empty one. */
const struct = bytes;

/** `google.protobuf.Empty`. */
export const empty = {};

// The start of the plugin: Handshake, GetSchema, Configure, GetPluginInfo and Attach.

export const providerHandshakeRequest = {
  engineAddress: field(1, string),
  rootDirectory: optional(2, string),
  programDirectory: optional(3, string),
  configureWithUrn: field(4, bool),
  supportsViews: field(5, bool),
  supportsRefreshBeforeUpdate: field(6, bool),
  invokeWithPreview: field(7, bool),
  acceptsByteString: field(11, bool),
  sendsOldOutputsToCheck: field(12, bool),
  acceptsOutputsInInvoke: field(13, bool),
  acceptsOutputsInCall: field(14, bool),
  acceptsOutputsInCheck: field(15, bool),
};

export const providerHandshakeResponse = {
  acceptSecrets: field(1, bool),
  acceptResources: field(2, bool),
  acceptOutputs: field(3, bool),
  supportsAutonamingConfiguration: field(4, bool),
  acceptsByteString: field(6, bool),
  acceptsOutputsInInvoke: field(7, bool),
  acceptsOutputsInCall: field(8, bool),
  acceptsOutputsInCheck: field(9, bool),
};

export const getSchemaRequest = {
  version: field(1, int32),
  subpackageName: field(2, string),
  subpackageVersion: field(3, string),
};

export const getSchemaResponse = {
  /** JSON. */
  schema: field(1, string),
};

export const configureRequest = {
  /** Deprecated in favour of `args`. Values that are not strings are JSON text. */
  variables: map(1, string),
  args: optional(2, struct),
  acceptSecrets: field(3, bool),
  acceptResources: field(4, bool),
  sendsOldInputs: field(5, bool),
  sendsOldInputsToDelete: field(6, bool),
  id: optional(7, string),
  urn: optional(8, string),
  name: optional(9, string),
  type: optional(10, string),
};

export const configureResponse = {
  acceptSecrets: field(1, bool),
  supportsPreview: field(2, bool),
  acceptResources: field(3, bool),
  acceptOutputs: field(4, bool),
  supportsAutonamingConfiguration: field(5, bool),
};

const missingKey = {
  name: field(1, string),
  description: field(2, string),
};

/** A detail of the error with which Configure fails. */
export const configureErrorMissingKeys = {
  missingKeys: repeated(1, embedded(missingKey)),
};

export const pluginInfo = {
  version: field(1, string),
};

export const pluginAttach = {
  /** The engine's address. */
  address: field(1, string),
};

// The functions and the resources: Invoke, Check, Diff, Create, Read, Update and Delete.

const checkFailure = {
  /** The path of the input. */
  property: field(1, string),
  reason: field(2, string),
};

export const invokeRequest = {
  tok: field(1, string),
  args: optional(2, struct),
  preview: field(7, bool),
};

export const invokeResponse = {
  return: optional(1, struct),
  failures: repeated(2, embedded(checkFailure)),
};

/** Whether the provider may change the name that the engine proposes, must use it, or must not choose a name at all. */
export const autonamingMode = { propose: 0, enforce: 1, disable: 2 } as const;

const autonamingOptions = {
  proposedName: field(1, string),
  /** One of {@link autonamingMode}. */
  mode: field(2, int32),
};

/** The request of Check and of CheckConfig. */
export const checkRequest = {
  urn: field(1, string),
  /** The old inputs; absent for a new resource. */
  olds: optional(2, struct),
  /** The new inputs. */
  news: optional(3, struct),
  randomSeed: field(5, bytes),
  name: field(6, string),
  type: field(7, string),
  autonaming: optional(8, embedded(autonamingOptions)),
  /** Only engines that announce `sendsOldOutputsToCheck` send it. */
  oldOutputs: optional(9, struct),
};

export const checkResponse = {
  inputs: optional(1, struct),
  failures: repeated(2, embedded(checkFailure)),
};

/** The request of Diff and of DiffConfig. */
export const diffRequest = {
  id: field(1, string),
  urn: field(2, string),
  /** The old outputs. */
  olds: optional(3, struct),
  /** The new inputs. */
  news: optional(4, struct),
  ignoreChanges: repeated(5, string),
  oldInputs: optional(6, struct),
  name: field(7, string),
  type: field(8, string),
};

export const propertyDiffKind = {
  add: 0,
  addReplace: 1,
  delete: 2,
  deleteReplace: 3,
  update: 4,
  updateReplace: 5,
} as const;

const propertyDiff = {
  /** One of {@link propertyDiffKind}. */
  kind: field(1, int32),
  /** Whether the old value is from the old inputs instead of the old outputs. */
  inputDiff: field(2, bool),
};

export const diffChanges = { unknown: 0, none: 1, some: 2 } as const;

export const diffResponse = {
  replaces: repeated(1, string),
  stables: repeated(2, string),
  deleteBeforeReplace: field(3, bool),
  /** One of {@link diffChanges}. */
  changes: field(4, int32),
  /** The names of the top-level properties that differ. */
  diffs: repeated(5, string),
  /** The differences by the paths of the properties. */
  detailedDiff: map(6, embedded(propertyDiff)),
  hasDetailedDiff: field(7, bool),
};

export const createRequest = {
  urn: field(1, string),
  properties: optional(2, struct),
  /** In seconds; 0 means no timeout. */
  timeout: field(3, double),
  preview: field(4, bool),
  name: field(5, string),
  type: field(6, string),
};

export const createResponse = {
  id: field(1, string),
  properties: optional(2, struct),
  refreshBeforeUpdate: field(3, bool),
};

export const readRequest = {
  id: field(1, string),
  urn: field(2, string),
  /** The old outputs; absent or empty for an import. */
  properties: optional(3, struct),
  /** The old inputs, in a refresh. */
  inputs: optional(4, struct),
  name: field(5, string),
  type: field(6, string),
  /** In seconds; 0 means no timeout. */
  timeout: field(10, double),
};

export const readResponse = {
  /** Empty for a resource that no longer exists. */
  id: field(1, string),
  properties: optional(2, struct),
  inputs: optional(3, struct),
  refreshBeforeUpdate: field(4, bool),
};

export const updateRequest = {
  id: field(1, string),
  urn: field(2, string),
  /** The old outputs. */
  olds: optional(3, struct),
  /** The new inputs. */
  news: optional(4, struct),
  /** In seconds; 0 means no timeout. */
  timeout: field(5, double),
  ignoreChanges: repeated(6, string),
  preview: field(7, bool),
  oldInputs: optional(8, struct),
  name: field(9, string),
  type: field(10, string),
};

export const updateResponse = {
  properties: optional(1, struct),
  refreshBeforeUpdate: field(2, bool),
};

export const deleteRequest = {
  id: field(1, string),
  urn: field(2, string),
  /** The old outputs. */
  properties: optional(3, struct),
  /** In seconds; 0 means no timeout. */
  timeout: field(4, double),
  oldInputs: optional(5, struct),
  name: field(6, string),
  type: field(7, string),
};

// Errors.

/** A detail of the error with which Create, Update or Read fails if the resource exists nevertheless. */
export const errorResourceInitFailed = {
  id: field(1, string),
  properties: optional(2, struct),
  reasons: repeated(3, string),
  /** The inputs that were read. Only Read has them. */
  inputs: optional(4, struct),
  refreshBeforeUpdate: field(5, bool),
};

const any = {
  typeUrl: field(1, string),
  value: field(2, bytes),
};

/** `google.rpc.Status`, which carries the details of an error in the trailer `grpc-status-details-bin`. */
export const status = {
  code: field(1, int32),
  message: field(2, string),
  details: repeated(3, embedded(any)),
};

// The request that the provider sends to the engine: Log.

export const logSeverity = { debug: 0, info: 1, warning: 2, error: 3 } as const;

export const logRequest = {
  /** One of {@link logSeverity}. */
  severity: field(1, int32),
  message: field(2, string),
  urn: field(3, string),
  /** Messages of one stream are shown together; 0 means no stream. */
  streamId: field(4, int32),
  /** Whether the message is shown only until the next one replaces it. */
  ephemeral: field(5, bool),
};
