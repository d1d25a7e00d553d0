import type { Integration, IntegrationRecord } from "../entities/integration.ts";
import type { Platform } from "../platform.ts";
import { shownFields } from "./shown-fields.ts";

/** An integration as the API shows it. */
export function presentIntegration({ variants }: Platform, record: IntegrationRecord): Partial<Integration> {
  const { archived, default_schedule, runs, builds, ...shown } = record;
  const none = (fields: object) => shownFields(variants, fields);
  return shownFields<object>(
    variants,
    {
      ...shown,
      connectors: shown.connectors.map(({ target, ...connector }) => connector),
      categories: shown.categories.map(none),
      tags: shown.tags.map(none),
      flag: shown.flag && none(shown.flag),
    },
    { categories: [], tags: [] },
  );
}
