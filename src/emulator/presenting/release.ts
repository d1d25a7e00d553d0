import type { Release, ReleaseRecord } from "../entities/release.ts";
import type { Platform } from "../platform.ts";
import { shownFields } from "./shown-fields.ts";

/** A release as the API shows it. */
export function presentRelease({ variants }: Platform, record: ReleaseRecord): Partial<Release> {
  const { integration_id, ...shown } = record;
  return shownFields(variants, shown);
}
