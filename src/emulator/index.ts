/**
 * The integration platform as a local HTTP server: for developing, testing and trying out.
 *
 * It serves every endpoint of the specification under `/v2`, with the documented statuses and error shapes. Its state is
 * in an embedded database. A variant selects how it answers what the specification leaves open; see `variants.ts`. Builds
 * become releases, syncs become runs that do what the seed's scripts describe, schedules fire, and webhooks are sent, by
 * the machine's clock or by a manual one. The emulator is for your own machine, and not a security boundary.
 *
 * The database also holds what is still to be done. After a restart runs and builds end when they are due, or at once
 * when that time has passed. Schedules skip the times that have passed. Pending webhooks are sent; a webhook that was
 * being sent is not sent again. Variants, the lag, faults and the request log are not in the database.
 *
 * Other programs control the emulator under `/_emulator`. They need no API key. Bodies have the content type
 * `application/json`.
 *
 * - `GET /_emulator/requests`: the request log, oldest first. `DELETE` empties it.
 * - `GET /_emulator/faults`: the pending faults. `POST` adds one (a FaultSpec; `faultKinds` says what each kind does),
 *   `DELETE` removes all.
 * - `GET /_emulator/variants`: the variants in force. `PATCH` changes some.
 * - `GET /_emulator/lag`: how long reads do not show a write in the variant `visibility=lagging`. `PATCH` with
 *   `{"seconds": 2}` changes it.
 * - `GET /_emulator/clock`: the current time. `POST` with `{"advanceSeconds": 3600}` moves a manual clock forward.
 * - `POST /_emulator/reset`: resets everything to the seed. Variants, the lag and the clock stay.
 *
 * These routes do what people do in the console:
 *
 * - `POST /_emulator/tenants`: installs a tenant from the marketplace: `integration` (name or id), `name`, `user_name`,
 *   `metadata`, `runs` (a script), and any other field of a tenant. Every name is valid. Event `tenant_created`.
 * - `GET /_emulator/tenants/{id}`: everything that is stored about a tenant, unmasked. `PATCH` changes any field without
 *   validation. The keys of `status` are merged. `archived: false` restores an archived tenant; `true` is the event
 *   `tenant_archived`.
 * - `POST /_emulator/tenants/{id}/connectors/{name}`: sets the status of a connector, for example
 *   `{"status": "connected"}`, as the tenant's user does.
 * - `POST /_emulator/integrations`: adds an integration (event `integration_created`).
 *   `PATCH /_emulator/integrations/{id}` changes it. Both accept the scripts `runs` and `builds`, and the `target` of a
 *   connector. For example `{"runs": {"releases": [{"tag": "v1.1.0", "tenants": ["acme"], "outcome": "fail"}]}}`: the runs
 *   of acme fail while it has this release.
 * - `POST /_emulator/integrations/{id}/partner-changes`: changes an integration as its partner, with
 *   `{"partner": {"id", "name"}, "change": {...}}`. Event `partner_integration_updated`.
 * - `POST /_emulator/integrations/{id}/releases`: adds a release, as a finished build does.
 * - `GET /_emulator/runs?tenant_id=&limit=`: the newest runs first. `GET /_emulator/runs/{id}`: one run with its log.
 * - `GET /_emulator/api-keys`: the API keys, including the one of the start. `POST` with `{"name"}` creates a key, and
 *   only this response contains it. `DELETE /_emulator/api-keys/{id}` revokes a key.
 * - `GET` and `PATCH /_emulator/settings`: the account, the primary contact, the webhook URL, and for each event
 *   `send_webhook` and `subscribers`.
 * - `GET /_emulator/deliveries?limit=`: webhooks with their outcomes. `GET /_emulator/outbox?limit=`: e-mails.
 *
 * These need no API key either: `/console`, with pages for people (docs/guides/console.md), to which `/` leads a browser;
 * `/openapi.json`, the description of the API in OpenAPI 3.1, which `/console/api` shows to people; and
 * `/_storage/runs/{id}.log`, where the signed links to logs point.
 */
export { type Clock, createManualClock, type ManualClock, manualClockStart } from "./clock.ts";
export { createEmulator, type Emulator } from "./emulator.ts";
export type { EmulatorOptions } from "./emulator-options.ts";
export type { DeliveryOutcome, DeliveryRecord, EmailRecord, EventKey } from "./entities/event.ts";
export type { Seed, SeedIntegration, SeedRelease, SeedTenant } from "./entities/seed.ts";
export type { FaultSpec } from "./faults/fault.ts";
export { type FaultKind, faultKinds } from "./faults/kinds.ts";
export type { RequestRecord } from "./http/request-log.ts";
export { defaultVariants, listVariants, type Variants, variantValues } from "./variants.ts";
