/**
 * The integration platform as a local HTTP server: for developing, testing and trying out.
 *
 * It serves the management API under `/v2` (specification, "Endpoints": integrations, releases, tenants, metadata),
 * with the documented statuses and error shapes, over an embedded database. What the specification leaves open is a
 * variant; see `variants.ts`. Not a security boundary: it is for one's own machine.
 *
 * Another process steers it under `/_emulator`, without an API key, bodies as `content-type: application/json`:
 *
 * - `GET` / `DELETE /_emulator/requests`: the request log, oldest first / emptied.
 * - `GET` / `POST` / `DELETE /_emulator/faults`: pending faults / one more (a FaultSpec) / none.
 * - `GET` / `PATCH /_emulator/variants`: those in force / some changed.
 * - `POST /_emulator/reset`: back to the seed; variants stay.
 * - `POST /_emulator/tenants`: a tenant as a marketplace install would leave it: `integration` (name or id), `name`, any
 *   other field of a tenant, `user_name`, `metadata`. Any name is taken.
 * - `GET` / `PATCH /_emulator/tenants/{id}`: all that is kept, unmasked / a change by hand, of any field and without
 *   validation (`status` is merged key by key; `archived: false` brings an archived tenant back).
 * - `POST /_emulator/tenants/{id}/connectors/{name}`: `{"status": "connected"}` or another word, as its user would.
 * - `POST /_emulator/integrations`, `PATCH /_emulator/integrations/{id}`: adds or changes an integration by hand.
 * - `POST /_emulator/integrations/{id}/releases`: one more release, as a finished build would leave it.
 */
export type { Clock } from "./clock.ts";
export { createEmulator, type Emulator, type EmulatorOptions } from "./emulator.ts";
export type { FaultSpec } from "./faults/fault.ts";
export type { RequestRecord } from "./request-log.ts";
export type { Seed, SeedIntegration, SeedRelease, SeedTenant } from "./seed/schema.ts";
export { defaultVariants, listVariants, type Variants, variantValues } from "./variants.ts";
