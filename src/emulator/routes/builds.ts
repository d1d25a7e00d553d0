import { json, refusingInWords } from "../http/answers.ts";
import { parseJsonObject } from "../http/body.ts";
import type { App } from "../http/environment.ts";
import { requestBuild } from "../operations/request-build.ts";
import type { Platform } from "../platform.ts";
import { shownFields } from "../presenting/shown-fields.ts";

/** Specification, "Endpoints": Builds. */
export function buildRoutes(app: App, platform: Platform): void {
  app.post("/v2/sourcecontrol/build", (context) =>
    refusingInWords(() => {
      const { id, integration_id, tag, branch, created_date } = requestBuild(
        platform,
        parseJsonObject(context.env.bodyText),
      );
      if (platform.variants.buildAnswer === "nothing") return json({}, 201);
      return json(shownFields(platform.variants, { id, integration_id, tag, branch, created_date }), 201);
    }),
  );
}
