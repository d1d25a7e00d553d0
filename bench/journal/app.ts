import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { ZodError } from "zod";
import { type StackFiles, stackFilesIn } from "./stack-files.ts";
import { stackRoutes } from "./stack-routes.ts";
import { updateRoutes } from "./update-routes.ts";
import { createUpdates } from "./updates.ts";

/** The only user, who is also the only organization. */
const user = "bench";

/** All routes of the service, with its stacks in a folder. */
export function createApp(folder: string): Hono {
  const files = stackFilesIn(folder);
  const updates = createUpdates(files);
  const app = new Hono();
  app.onError((error, context) => {
    if (error instanceof HTTPException)
      return context.json({ code: error.status, message: error.message }, error.status);
    const code = error instanceof ZodError || error instanceof SyntaxError ? 400 : 500;
    console.error(`${context.req.method} ${context.req.path}:`, error);
    return context.json({ code, message: error.message }, code);
  });
  app.notFound((context) => context.json({ code: 404, message: `Not Found: ${context.req.path}` }, 404));

  app.get("/api/capabilities", (context) => context.json({ capabilities: [] }));
  app.get("/api/user", (context) =>
    context.json({ githubLogin: user, name: user, organizations: [{ githubLogin: user, name: user }] }),
  );
  app.get("/api/user/organizations/default", (context) => context.json({ GitHubLogin: user }));
  app.get("/api/user/stacks", async (context) => context.json({ stacks: await summaries(files) }));
  stackRoutes(app, files, updates);
  updateRoutes(app, files, updates);
  return app;
}

async function summaries(files: StackFiles) {
  const names = await files.list();
  return names.map(({ organization, project, stack }) => {
    return { orgName: organization, projectName: project, stackName: stack };
  });
}
