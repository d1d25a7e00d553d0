import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { parseBody, stackIn, stackName } from "./requests.ts";
import { type Checkpoint, checkpointSchema } from "./schemas.ts";
import type { StackFiles } from "./stack-files.ts";
import type { Updates } from "./updates.ts";

const createSchema = z.looseObject({ stackName: z.string(), state: checkpointSchema.nullish() });

const ofProject = "/api/stacks/:organization/:project";
export const ofStack = `${ofProject}/:stack` as const;

/** Specification: `pkg/backend/httpstate/client/client.go`. */
export function stackRoutes(app: Hono, files: StackFiles, updates: Updates): void {
  // Hono answers HEAD as GET. The engine asks whether a project exists before it creates the first stack.
  app.get(ofProject, (context) => context.body(null, 404));

  app.post(ofProject, async (context) => {
    const { stackName: stack, state } = await parseBody(context, createSchema);
    const name = stackName(context.req.param("organization"), context.req.param("project"), stack);
    if (files.has(name)) throw new HTTPException(409, { message: `Conflict: stack ${stack} already exists` });
    await files.write(name, state ?? emptyCheckpoint());
    return context.json({});
  });

  app.get(ofStack, (context) => {
    const name = stackIn(context, files);
    const { organization: orgName, project: projectName, stack } = name;
    return context.json({ orgName, projectName, stackName: stack, activeUpdate: updates.active(name)?.id ?? "" });
  });

  app.delete(ofStack, async (context) => {
    const name = stackIn(context, files);
    const { deployment } = await files.read(name);
    if ((deployment.resources ?? []).length > 0 && context.req.query("force") !== "true")
      throw new HTTPException(400, { message: "Bad Request: Stack still contains resources." }); // the engine compares it
    await files.remove(name);
    return context.body(null, 204);
  });

  app.get(`${ofStack}/export`, async (context) => context.json(await files.read(stackIn(context, files))));

  app.post(`${ofStack}/import`, async (context) => {
    const name = stackIn(context, files);
    const checkpoint = await parseBody(context, checkpointSchema);
    const update = updates.create(name, "import");
    await updates.start(update);
    await files.write(name, checkpoint);
    await updates.end(update, "succeeded");
    return context.json({ updateId: update.id });
  });
}

/** What `pulumi stack init` writes on other backends. */
function emptyCheckpoint(): Checkpoint {
  const manifest = { time: new Date().toISOString(), magic: "", version: "" };
  return { version: 3, deployment: { manifest, metadata: {} } };
}
