import type { JsonObject, JsonValue, Release } from "../api/index.ts";
import type { Problem, ReleaseSchema } from "../json-schema/index.ts";
import { partOf } from "../resources/declared-keys.ts";
import { type IntegrationScope, integrationScope } from "../resources/integration-scope.ts";
import { hasMask } from "../resources/masks.ts";
import { readMetadata } from "../resources/metadata-of.ts";
import type { Platform } from "../resources/platform.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { nameOrId } from "./export-tenants.ts";

/** A value of a live tenant that would not fit a release. */
export interface Misfit {
  tenantId: number;
  tenant: string;
  /** `configs.region`. */
  path: string;
  /** What would be right. */
  problem: string;
}

/**
 * Which live configs and metadata of an integration's tenants would not fit a release. Reads only.
 *
 * @param release a tag, an id, `latest` or `default`.
 * @returns `isWhole` is false where something could not be checked; the warnings tell what.
 */
export async function checkTenants(
  platform: Platform,
  { integration, release }: { integration: string; release: string },
): Promise<{ checked: number; misfits: Misfit[]; isWhole: boolean }> {
  const scope = await integrationScope(platform, nameOrId(integration));
  const target = await releaseOf(scope, release);
  const schemas = { configs: platform.configSchemaOf(target), metadata: platform.metadataSchemaOf(target) };
  const tenants = [...(await scope.tenants.all()).values()];
  const misfits = tenants.map(async ({ id, name, configs }): Promise<Misfit[]> => {
    const live = { configs, metadata: (await readMetadata(platform, scope.tenants, id)) ?? {} };
    return (["configs", "metadata"] as const).flatMap((property) =>
      unmasked(schemas[property], live[property]).map(({ path, message }) => ({
        tenantId: id,
        tenant: name,
        path: [property, ...path].join("."),
        problem: message,
      })),
    );
  });
  const found = (await Promise.all(misfits)).flat();
  const isWhole = !Object.values(schemas).some((schema) => schema.hasGivenUp());
  return { checked: tenants.length, misfits: found, isWhole };
}

/** What does not fit, but for values that the platform hides: nobody can say that of those. */
function unmasked(schema: ReleaseSchema, live: JsonObject): readonly Problem[] {
  const isMasked = ({ path }: Problem) => {
    const value = path.reduce<JsonValue | undefined>(partOf, live);
    return value !== undefined && hasMask(value);
  };
  return schema.problems(live).filter((problem) => !isMasked(problem));
}

async function releaseOf({ record, releases }: IntegrationScope, release: string): Promise<Release> {
  if (/^\d+$/.test(release)) return releases.byId(Number(release));
  if (release !== "latest" && release !== "default") return releases.byTag(release);
  const found = await releases.ofChannel(release === "latest" ? "Latest" : "Default");
  if (found === undefined) throw new UnknownNameError(`integration "${record.name}" has no ${release} release`);
  return found;
}
