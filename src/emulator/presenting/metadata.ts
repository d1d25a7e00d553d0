import type { Metadata } from "../operations/metadata.ts";
import { resolveRelease } from "../operations/resolve-release.ts";
import type { Platform } from "../platform.ts";
import { shownFields } from "./shown-fields.ts";
import { presentValues } from "./values.ts";

/** Metadata as the API shows it (specification, "TenantMetadata"). */
export function presentMetadata(platform: Platform, metadata: Metadata): Partial<Metadata> {
  const { store, variants } = platform;
  const tenant = store.tenants.find(metadata.tenant_id);
  const release = tenant && resolveRelease(platform, tenant.integration_id, tenant);
  const data = presentValues(variants, release?.metadata_schema, metadata.data);
  return shownFields(variants, { ...metadata, data }, { data: {} });
}
