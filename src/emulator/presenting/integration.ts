import type { Integration, IntegrationRecord } from "../entities/integration.ts";
import type { Release, ReleaseRecord } from "../entities/release.ts";
import type { Platform } from "../platform.ts";
import { presentFields } from "./present-fields.ts";

/** An integration as the API shows it. */
export function presentIntegration({ variants }: Platform, record: IntegrationRecord): Partial<Integration> {
  const { archived, default_schedule, runs, builds, ...shown } = record;
  const present = (fields: object) => presentFields(variants, fields);
  return presentFields<object>(
    variants,
    {
      ...shown,
      connectors: shown.connectors?.map(({ target, ...connector }) => connector) ?? null,
      categories: shown.categories?.map(present) ?? null,
      tags: shown.tags?.map(present) ?? null,
      flag: shown.flag && present(shown.flag),
    },
    { categories: [], tags: [] },
  );
}

/** A release as the API shows it. */
export function presentRelease({ variants }: Platform, record: ReleaseRecord): Partial<Release> {
  const { integration_id, ...shown } = record;
  return presentFields(variants, shown);
}
