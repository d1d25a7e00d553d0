import { json } from "../http/answers.ts";
import type { App } from "../http/environment.ts";
import { openApiDocument } from "../openapi/document.ts";

/** The API's description for tools, without a key. */
export function openApiRoute(app: App): void {
  // Made when it is asked for: most emulators never are.
  app.get("/openapi.json", () => json(openApiDocument()));
}
