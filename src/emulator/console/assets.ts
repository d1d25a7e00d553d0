import { readFileSync } from "node:fs";
import type { App } from "../http/environment.ts";

/** The files that the pages load, read once. */
export function assetRoutes(app: App): void {
  for (const [name, contentType] of Object.entries(assets)) {
    const body = readFileSync(new URL(name, import.meta.url), "utf8");
    app.get(`/${name}`, (context) => context.body(body, 200, { "content-type": contentType }));
  }
}

const assets = {
  "console.css": "text/css; charset=utf-8",
  "live.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
};
