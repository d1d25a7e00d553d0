import type { Release } from "../../api/index.ts";
import { digest } from "../../json/digest.ts";
import { jsonSchemaOf } from "../../json-schema/index.ts";
import type { BuildInputs, BuildState } from "./schema.ts";

/** The state of a build whose release is there. */
export function stateOf(inputs: BuildInputs, release: Release): BuildState {
  const [configs, metadata] = [jsonSchemaOf(release.config_schema), jsonSchemaOf(release.metadata_schema)];
  return {
    ...inputs,
    releaseId: release.id,
    releaseName: release.name,
    configVersion: release.config_version,
    configSchemaDigest: digest(configs),
    metadataSchemaDigest: digest(metadata),
  };
}
