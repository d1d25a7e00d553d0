import type { Release } from "../api/index.ts";
import type { Schemas } from "../settings/setting.ts";
import type { OperationContext } from "./operation-context.ts";

/** The compiled schemas of a release; if it is not known, those of which every value is valid. */
export function releaseSchemas(
  { configSchemaOf, metadataSchemaOf }: Pick<OperationContext, "configSchemaOf" | "metadataSchemaOf">,
  release: Release | undefined,
): Schemas {
  return { configs: configSchemaOf(release), metadata: metadataSchemaOf(release) };
}
