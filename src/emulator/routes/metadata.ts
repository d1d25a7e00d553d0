import { json } from "../http/answers.ts";
import { parseJsonObject } from "../http/body.ts";
import type { App } from "../http/environment.ts";
import { integerParameter } from "../http/path-parameter.ts";
import { type Metadata, readMetadata, updateMetadata } from "../operations/metadata.ts";
import type { Platform } from "../platform.ts";
import { shownFields } from "../presenting/shown-fields.ts";

/** Specification, "Endpoints": Tenants, their metadata. */
export function metadataRoutes(app: App, platform: Platform): void {
  const path = "/v2/tenants/:tenant_id/metadata" as const;
  const answer = (metadata: Metadata) => json(shownFields(platform.variants, metadata, { data: {} }));

  app.get(path, (context) => {
    const id = integerParameter("tenant_id", context.req.param("tenant_id"));
    return answer(readMetadata(platform, id));
  });

  app.patch(path, (context) => {
    const id = integerParameter("tenant_id", context.req.param("tenant_id"));
    return answer(updateMetadata(platform, id, parseJsonObject(context.env.bodyText)));
  });
}
