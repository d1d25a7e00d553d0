import type { Release, ReleaseRecord } from "../entities/release.ts";
import type { Platform } from "../platform.ts";
import { absentNulls } from "./absent-nulls.ts";

/** A release as the API shows it. */
export function presentRelease({ variants }: Platform, record: ReleaseRecord): Partial<Release> {
  const { integration_id, ...shown } = record;
  return absentNulls(variants.nulls, shown);
}
