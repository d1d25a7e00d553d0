export { orUnknownName, UnknownNameError } from "./integrations.ts";
export type { Releases } from "./releases.ts";
export { createSnapshot, type Snapshot } from "./snapshot.ts";
export type { TenantDirectory } from "./tenant-directory.ts";
