import type { Release } from "../../api/index.ts";
import { digest } from "../../json/digest.ts";
import type { BuildInputs, BuildState } from "./schema.ts";

/** The state of a build whose release is there. */
export function stateOf(inputs: BuildInputs, release: Release): BuildState {
  return {
    ...inputs,
    releaseId: release.id,
    releaseName: release.name,
    configVersion: release.config_version,
    configSchemaDigest: digest(release.config_schema),
    metadataSchemaDigest: digest(release.metadata_schema),
  };
}
