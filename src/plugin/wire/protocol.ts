import { bool, bytes, double, field, int32, optional, repeated, string } from "./field.ts";
import { embedded, map } from "./message.ts";

// The messages of pulumi/proto/pulumi/provider.proto, plugin.proto and engine.proto that a provider of resources needs. Left
// out are the fields of what this provider does not announce: views and references to services of the engine.

/** A `google.protobuf.Struct`, for `readStruct` and `writeStruct`. It may be absent, which is not the same as empty. */
const struct = bytes;

export const empty = {};

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
  /** Deprecated in favour of `args`: values that are not strings are JSON. */
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

/** A detail of the error that answers Configure. */
export const configureErrorMissingKeys = {
  missingKeys: repeated(1, embedded(missingKey)),
};

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

/** Whether the provider may change the name that the engine proposes, must take it, or must not name by itself. */
export const autonamingMode = { propose: 0, enforce: 1, disable: 2 } as const;

const autonamingOptions = {
  proposedName: field(1, string),
  /** One of {@link autonamingMode}. */
  mode: field(2, int32),
};

/** Also of CheckConfig. */
export const checkRequest = {
  urn: field(1, string),
  /** The old inputs; absent for a new resource. */
  olds: optional(2, struct),
  news: optional(3, struct),
  randomSeed: field(5, bytes),
  name: field(6, string),
  type: field(7, string),
  autonaming: optional(8, embedded(autonamingOptions)),
  /** Of engines that announce `sendsOldOutputsToCheck`. */
  oldOutputs: optional(9, struct),
};

export const checkResponse = {
  inputs: optional(1, struct),
  failures: repeated(2, embedded(checkFailure)),
};

/** Also of DiffConfig. */
export const diffRequest = {
  id: field(1, string),
  urn: field(2, string),
  /** The old outputs. */
  olds: optional(3, struct),
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
  /** Whether the old value is that of the old inputs, not of the old outputs. */
  inputDiff: field(2, bool),
};

export const diffChanges = { unknown: 0, none: 1, some: 2 } as const;

export const diffResponse = {
  replaces: repeated(1, string),
  stables: repeated(2, string),
  deleteBeforeReplace: field(3, bool),
  /** One of {@link diffChanges}. */
  changes: field(4, int32),
  /** Top-level properties only. */
  diffs: repeated(5, string),
  /** By property path. */
  detailedDiff: map(6, embedded(propertyDiff)),
  hasDetailedDiff: field(7, bool),
};

export const createRequest = {
  urn: field(1, string),
  properties: optional(2, struct),
  /** In seconds; 0 for none. */
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
  /** In seconds; 0 for none. */
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
  news: optional(4, struct),
  /** In seconds; 0 for none. */
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
  /** In seconds; 0 for none. */
  timeout: field(4, double),
  oldInputs: optional(5, struct),
  name: field(6, string),
  type: field(7, string),
};

export const pluginInfo = {
  version: field(1, string),
};

export const pluginAttach = {
  /** Of the engine. */
  address: field(1, string),
};

/** A detail of the error that answers Create, Update or Read: the resource exists, but its operation failed. */
export const errorResourceInitFailed = {
  id: field(1, string),
  properties: optional(2, struct),
  reasons: repeated(3, string),
  /** The inputs that were read; of Read only. */
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

export const logSeverity = { debug: 0, info: 1, warning: 2, error: 3 } as const;

/** A request to the engine. */
export const logRequest = {
  /** One of {@link logSeverity}. */
  severity: field(1, int32),
  message: field(2, string),
  urn: field(3, string),
  /** Messages of one stream are shown together; 0 for none. */
  streamId: field(4, int32),
  /** Whether the message is shown only until the next one. */
  ephemeral: field(5, bool),
};
