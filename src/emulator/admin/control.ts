import { z } from "zod";
import { isManual, timestamp } from "../clock.ts";
import type { FaultSpec } from "../faults/fault.ts";
import type { App } from "../http/environment.ts";
import { parseJsonObject } from "../http/request-body.ts";
import type { RequestRecord } from "../http/request-log.ts";
import { json } from "../http/responses.ts";
import type { Platform } from "../platform.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { asInvalidRequest } from "../rules/problems.ts";
import { changeVariants } from "../variants.ts";

/** What the routes under `/_emulator` control, besides the platform. */
export interface Controls {
  readonly faults: { add(spec: unknown): void; list(): FaultSpec[]; clear(): void };
  readonly log: { list(): RequestRecord[]; clear(): void };
  readonly reset: () => void;
  readonly advance: (seconds: number) => void;
}

/** The routes with which other programs control the emulator. The documentation of the module lists them. */
export function controlRoutes(app: App, platform: Platform, { faults, log, reset, advance }: Controls): void {
  app.get("/_emulator/requests", () => json(log.list()));
  app.delete("/_emulator/requests", () => json(done(() => log.clear())));
  app.get("/_emulator/faults", () => json(faults.list()));
  app.post("/_emulator/faults", (context) => {
    const spec = parseJsonObject(context.env.bodyText);
    return json(done(() => faults.add(spec)));
  });
  app.delete("/_emulator/faults", () => json(done(() => faults.clear())));
  app.get("/_emulator/variants", () => json(platform.variants));
  app.patch("/_emulator/variants", (context) => {
    const change = parseJsonObject(context.env.bodyText);
    done(() => {
      platform.variants = changeVariants(platform.variants, change);
    });
    return json(platform.variants);
  });
  const lag = () => json({ seconds: platform.lagSeconds });
  app.get("/_emulator/lag", lag);
  app.patch("/_emulator/lag", (context) => {
    platform.lagSeconds = parseRequest(lagSchema, parseJsonObject(context.env.bodyText), "body").seconds;
    return lag();
  });
  app.post("/_emulator/reset", () => json(done(reset)));

  const clock = () => json({ now: timestamp(platform.clock), kind: isManual(platform.clock) ? "manual" : "real" });
  app.get("/_emulator/clock", clock);
  app.post("/_emulator/clock", (context) => {
    const { advanceSeconds } = parseRequest(advanceSchema, parseJsonObject(context.env.bodyText), "body");
    done(() => advance(advanceSeconds));
    return clock();
  });
}

const lagSchema = z.strictObject({ seconds: z.number().min(0) });
const advanceSchema = z.strictObject({ advanceSeconds: z.number() });

/** Runs work and answers that it is done. */
function done(work: () => void): { readonly done: true } {
  asInvalidRequest(work);
  return { done: true };
}
