import type { App } from "../http/environment.ts";
import { openSignedLog } from "../operations/signed-log.ts";
import type { Platform } from "../platform.ts";

/** Serves the logs behind signed links as a cloud's object storage would: without an API key, with errors in XML. */
export function logStorageRoutes(app: App, platform: Platform): void {
  app.get("/_storage/runs/:name{[0-9]+\\.log}", (context) => {
    const runId = Number.parseInt(context.req.param("name"), 10);
    const { expires = "", signature = "" } = context.req.query();
    const opened = openSignedLog(platform, runId, /^\d{1,12}$/.test(expires) ? Number(expires) : 0, signature);
    if ("log" in opened) return textResponse(opened.log, 200, "text/plain; charset=utf-8");
    const { status, code, message } = refusals[opened.refusal];
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>\n`;
    return textResponse(xml, status, "application/xml");
  });
}

const refusals = {
  expired: { status: 403, code: "AccessDenied", message: "Request has expired" },
  forged: { status: 403, code: "SignatureDoesNotMatch", message: "The signature does not match this request" },
  gone: { status: 404, code: "NoSuchKey", message: "The specified key does not exist" },
} as const;

function textResponse(body: string, status: number, contentType: string): Response {
  return new Response(body, { status, headers: { "content-type": contentType } });
}
