import type { RunRecord } from "../entities/run.ts";
import { json } from "../http/answers.ts";
import type { App } from "../http/environment.ts";
import { integerParameter } from "../http/path-parameter.ts";
import { NotFound } from "../http/problems.ts";
import { signLog } from "../operations/signed-log.ts";
import { triggerRun } from "../operations/trigger-run.ts";
import type { Platform } from "../platform.ts";
import { presentRun, statusWord } from "../presenting/run.ts";

/**
 * Specification, "Endpoints": Runs. `/v2/runs/{id}`, its `/status` and its `/triggers` are no endpoints there, but what
 * the links of the event `run_failed` lead to.
 */
export function runRoutes(app: App, platform: Platform): void {
  const path = "/v2/runs/:run_id" as const;
  const word = (run: RunRecord) => statusWord(platform.variants.statusWords, run.phase);
  const find = (text: string): RunRecord => {
    const id = integerParameter("run_id", text);
    const run = platform.store.runs.find(id);
    if (!run) throw new NotFound(`Run ${id} not found`);
    return run;
  };

  app.get("/v2/runs/triggers/:trigger_id/status", (context) =>
    json({ status: word(triggerRun(platform, context.req.param("trigger_id"))) }),
  );

  app.get(`${path}/log`, (context) => {
    const link = signLog(platform, integerParameter("run_id", context.req.param("run_id")));
    const location = new URL(link, context.req.url).href;
    return new Response(null, { status: 302, headers: { location } });
  });

  app.get(path, (context) => json(presentRun(platform.variants.statusWords, find(context.req.param("run_id")))));
  app.get(`${path}/status`, (context) => json({ status: word(find(context.req.param("run_id"))) }));
  app.get(`${path}/triggers`, (context) => json(find(context.req.param("run_id")).triggers));
}
