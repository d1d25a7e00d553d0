import { z } from "zod";
import { minLength } from "../../inputs/string-schema.ts";
import { timestamp } from "../clock.ts";
import { type IntegrationRecord, integrationRecordSchema } from "../entities/integration.ts";
import type { ReleaseRecord } from "../entities/release.ts";
import type { ParsedSeed } from "../entities/seed.ts";
import type { Platform } from "../platform.ts";
import { cronSchema } from "../rules/cron.ts";
import type { JsonObject } from "../rules/json.ts";
import { displayName, notify } from "./notify.ts";
import { recordChannelMoves } from "./release-adoption.ts";
import { requireIntegration } from "./require.ts";
import { planSchedulesOf } from "./schedule.ts";

type NewIntegration = Omit<ParsedSeed["integrations"][number], "releases">;
type NewRelease = ParsedSeed["integrations"][number]["releases"][number];

/** The fields of an integration that an administrator can change. */
export const integrationChangeSchema = integrationRecordSchema
  .omit({ id: true })
  .partial()
  .extend({ default_schedule: cronSchema.nullish() });

/**
 * Adds an integration. An integration of the seed causes no event.
 *
 * @throws Error when its id or name is taken.
 */
export function addIntegration(
  platform: Platform,
  given: NewIntegration,
  origin: "seed" | "console",
): IntegrationRecord {
  const { store, clock } = platform;
  const { id = store.integrations.nextId(), name } = given;
  if (store.integrations.find(id)) throw new Error(`There is already an integration ${id}`);
  if (store.integrations.findByName(name)) throw new Error(`There is already an integration "${name}"`);

  const now = timestamp(clock);
  // In these fields, only an absent value has a default: null stays null.
  const { created_date = now, modified_date = now, connectors = [], categories = [], tags = [] } = given;
  const integration: IntegrationRecord = {
    id,
    created_date,
    modified_date,
    name,
    long_name: given.long_name ?? name,
    connectors,
    repository_path: given.repository_path ?? null,
    repository_tracking_branch: given.repository_tracking_branch ?? null,
    repository_url: given.repository_url ?? null,
    type: given.type ?? "Internal",
    categories,
    tags,
    flag: given.flag ?? null,
    default_release_id: given.default_release_id ?? null,
    default_release_channel: given.default_release_channel ?? null,
    archived: given.archived ?? false,
    default_schedule: given.default_schedule ?? null,
    ...(given.runs ? { runs: given.runs } : {}),
    ...(given.builds ? { builds: given.builds } : {}),
  };
  return store.transaction(() => {
    store.integrations.write(integration);
    if (origin === "console") notify(platform, "integration_created", integrationFields(integration));
    return integration;
  });
}

/**
 * Changes fields of an integration, as an administrator does in the console.
 *
 * @throws NotFound
 */
export function changeIntegration(
  platform: Platform,
  id: number,
  change: z.infer<typeof integrationChangeSchema>,
): IntegrationRecord {
  const current = requireIntegration(platform, id);
  const changed = integrationRecordSchema.parse({ ...current, modified_date: timestamp(platform.clock), ...change });
  recordChannelMoves(platform, id, () => platform.store.integrations.write(changed));
  // The integration's schedule and connectors decide whether and when the schedules of its tenants fire.
  planSchedulesOf(platform, id);
  return changed;
}

/** A change by a partner: the organization that publishes the integration on the platform. */
export const partnerChangeSchema = z.strictObject({
  partner: z.strictObject({ id: z.int(), name: z.string().check(minLength(1)) }),
  change: integrationChangeSchema,
});

/**
 * Changes fields of an integration as its partner, which causes an event.
 *
 * @throws NotFound
 */
export function changeAsPartner(
  platform: Platform,
  id: number,
  { partner, change }: z.infer<typeof partnerChangeSchema>,
): IntegrationRecord {
  return platform.store.transaction(() => {
    const integration = changeIntegration(platform, id, change);
    notify(platform, "partner_integration_updated", {
      ...integrationFields(integration),
      partner_id: partner.id,
      partner_name: partner.name,
    });
    return integration;
  });
}

/**
 * Adds a release to an integration, as a finished build does.
 *
 * @throws NotFound when there is no such integration.
 * @throws Error when the release's id is taken.
 */
export function addRelease(platform: Platform, integrationId: number, given: NewRelease): ReleaseRecord {
  const { store, clock } = platform;
  requireIntegration(platform, integrationId);
  const id = given.id ?? store.releases.nextId();
  if (store.releases.find(id)) throw new Error(`There is already a release ${id}`);

  const now = timestamp(clock);
  const { created_date = now, modified_date = now } = given;
  const release: ReleaseRecord = {
    id,
    integration_id: integrationId,
    name: given.name,
    repository_tracking_branch: given.repository_tracking_branch ?? null,
    run_command: given.run_command ?? null,
    tag: given.tag ?? null,
    config_schema: given.config_schema ?? null,
    config_version: given.config_version,
    metadata_schema: given.metadata_schema ?? null,
    created_date,
    modified_date,
  };
  recordChannelMoves(platform, integrationId, () => store.releases.write(release));
  return release;
}

function integrationFields(integration: IntegrationRecord): JsonObject {
  return { integration_id: integration.id, integration_name: displayName(integration) };
}
