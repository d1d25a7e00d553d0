import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { parseBody, stackIn } from "./requests.ts";
import { journalEntrySchema } from "./schemas.ts";
import type { StackFiles } from "./stack-files.ts";
import { ofStack } from "./stack-routes.ts";
import type { Update, Updates } from "./updates.ts";

const startSchema = z.looseObject({ journalVersion: z.int().default(0) });
const entriesSchema = z.looseObject({ entries: z.array(journalEntrySchema) });
const completeSchema = z.looseObject({ status: z.enum(["succeeded", "failed", "cancelled"]) });

const ofUpdate = `${ofStack}/update/:id` as const;

/** Specification: `pkg/backend/httpstate/client/client.go`. */
export function updateRoutes(app: Hono, files: StackFiles, updates: Updates): void {
  for (const kind of ["update", "preview", "refresh", "destroy"]) {
    app.post(`${ofStack}/${kind}`, (context) => {
      return context.json({ updateID: updates.create(stackIn(context, files), kind).id });
    });
  }

  app.post(ofUpdate, async (context) => {
    const update = updates.find(stackIn(context, files), context.req.param("id"));
    const { journalVersion } = await parseBody(context, startSchema);
    if (journalVersion < 1) throw new HTTPException(400, { message: "Bad Request: this service needs journaling" });
    await updates.start(update);
    return context.json({ version: 1, ...leaseOf(update), journalVersion: 1 });
  });

  app.get(ofUpdate, (context) => {
    const { status } = updates.find(stackIn(context, files), context.req.param("id"));
    return context.json({ status, events: [] });
  });

  app.patch(`${ofUpdate}/journalentries`, async (context) => {
    const name = stackIn(context, files);
    updates.requireRunning(updates.find(name, context.req.param("id")));
    const { entries } = await parseBody(context, entriesSchema);
    await files.append(name, entries);
    return context.json({});
  });

  app.post(`${ofUpdate}/renew_lease`, (context) => {
    const update = updates.find(stackIn(context, files), context.req.param("id"));
    updates.requireRunning(update);
    updates.renewLease(update);
    return context.json(leaseOf(update));
  });

  // Pulumi Cloud shows the events in its console. The engine sends them as it does there.
  app.post(`${ofUpdate}/events/batch`, async (context) => {
    await context.req.arrayBuffer();
    return context.json({});
  });

  app.post(`${ofUpdate}/complete`, async (context) => {
    const update = updates.find(stackIn(context, files), context.req.param("id"));
    const { status } = await parseBody(context, completeSchema);
    if (update.status === "running") await updates.end(update, status);
    return context.json({});
  });

  app.post(`${ofUpdate}/cancel`, async (context) => {
    const update = updates.find(stackIn(context, files), context.req.param("id"));
    updates.requireRunning(update);
    await updates.end(update, "cancelled");
    return context.json({});
  });
}

function leaseOf({ id, leaseExpiresAt }: Update) {
  return { token: id, tokenExpiration: Math.floor(leaseExpiresAt / 1000) };
}
