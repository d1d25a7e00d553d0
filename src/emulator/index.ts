/**
 * The integration platform as a local HTTP server: for developing, testing and trying out.
 *
 * It serves the management API under `/v2`, every endpoint of the specification, with the documented statuses and error
 * shapes, over an embedded database. What the specification leaves open is a variant; see `variants.ts`. Builds become
 * releases, syncs become runs that do what the seed's scripts say, schedules fire, events are sent: by the machine's
 * clock, or by one that only moves when it is told to. Not a security boundary: it is for one's own machine.
 *
 * Everything is in the database, what is still to come as well: after a restart runs go on and end when they are due
 * (at once when that time has passed), builds likewise; schedules go on from now, without catching up. A webhook that
 * was on its way counts as tried, one that was not is sent.
 *
 * Another process steers it under `/_emulator`, without an API key, bodies as `content-type: application/json`:
 *
 * - `GET` / `DELETE /_emulator/requests`: the request log, oldest first / emptied.
 * - `GET` / `POST` / `DELETE /_emulator/faults`: pending faults / one more (a FaultSpec) / none.
 * - `GET` / `PATCH /_emulator/variants`: those in force / some changed.
 * - `GET` / `PATCH /_emulator/lag`: how long writes stay unseen in the variant `visibility=lagging` / `{"seconds": 2}`.
 * - `GET` / `POST /_emulator/clock`: what time it is / `{"advanceSeconds": 3600}` moves a manual clock on.
 * - `POST /_emulator/reset`: back to the seed; variants and clock stay.
 *
 * Without a key as well: `/_storage/runs/{id}.log`, where the signed links to logs lead, and `/console/runs/{id}`, where
 * the `admin_link` of a failed run does.
 *
 * And what the console has and the API has not:
 *
 * - `POST /_emulator/tenants`: an install in the marketplace: `integration` (name or id), `name`, any other field of a
 *   tenant, `user_name`, `metadata`, `runs` (a script of its own). Any name is taken. Event `tenant_created`.
 * - `GET` / `PATCH /_emulator/tenants/{id}`: all that is kept, unmasked / a change by hand, of any field and without
 *   validation (`status` is merged key by key; `archived: false` brings an archived tenant back, `true` is the event
 *   `tenant_archived`).
 * - `POST /_emulator/tenants/{id}/connectors/{name}`: `{"status": "connected"}` or another word, as its user would.
 * - `POST /_emulator/integrations`, `PATCH /_emulator/integrations/{id}`: adds (event `integration_created`) or changes
 *   an integration by hand, its scripts `runs` and `builds` and its connectors' `target` as well.
 * - `POST /_emulator/integrations/{id}/partner-changes`: `{"partner": {"id", "name"}, "change": {...}}`, the event
 *   `partner_integration_updated`.
 * - `POST /_emulator/integrations/{id}/releases`: one more release, as a finished build would leave it.
 * - `GET /_emulator/runs?tenant_id=&limit=`, `GET /_emulator/runs/{id}`: runs, the newest first; one, with its log.
 * - `GET` / `POST /_emulator/api-keys`, `DELETE /_emulator/api-keys/{id}`: API keys; `{"name"}` makes one and tells it
 *   this once; revokes one. The key given at the start is one of them.
 * - `GET` / `PATCH /_emulator/settings`: account, primary contact, webhook URL, and per event `send_webhook` and
 *   `subscribers`.
 * - `GET /_emulator/deliveries?limit=`, `GET /_emulator/outbox?limit=`: webhooks with what became of them; e-mails.
 *
 * For people there is the same as pages, under `/console` (docs/console.md); for tools the API's description in OpenAPI
 * 3.1, `/openapi.json`. Neither needs a key.
 */
export { type Clock, createManualClock, type ManualClock, manualClockStart } from "./clock.ts";
export { createEmulator, type Emulator } from "./emulator.ts";
export type { EmulatorOptions } from "./emulator-options.ts";
export type { DeliveryOutcome, DeliveryRecord, EmailRecord, EventKey } from "./entities/event.ts";
export type { FaultSpec } from "./faults/fault.ts";
export type { RequestRecord } from "./request-log.ts";
export type { Seed, SeedIntegration, SeedRelease, SeedTenant } from "./seed/schema.ts";
export { defaultVariants, listVariants, type Variants, variantValues } from "./variants.ts";
