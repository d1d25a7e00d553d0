import { json } from "../http/answers.ts";
import { parseFreeFormObject } from "../http/body.ts";
import type { App } from "../http/environment.ts";
import { integerParameter } from "../http/path-parameter.ts";
import { type Metadata, readMetadata, updateMetadata } from "../operations/metadata.ts";
import type { Platform } from "../platform.ts";
import { presentMetadata } from "../presenting/metadata.ts";

/** Specification, "Endpoints": Tenants, their metadata. */
export function metadataRoutes(app: App, platform: Platform): void {
  const path = "/v2/tenants/:tenant_id/metadata" as const;
  const answer = (metadata: Metadata) => json(presentMetadata(platform, metadata));

  app.get(path, (context) => {
    const id = integerParameter("tenant_id", context.req.param("tenant_id"));
    return answer(readMetadata(platform, id));
  });

  app.patch(path, (context) => {
    const id = integerParameter("tenant_id", context.req.param("tenant_id"));
    return answer(updateMetadata(platform, id, parseFreeFormObject(context.env.bodyText)));
  });
}
