import type { App } from "../http/environment.ts";
import { integerParameter } from "../http/path-parameter.ts";
import { NotFound } from "../http/problems.ts";
import type { Platform } from "../platform.ts";
import { statusWord } from "../presenting/run.ts";

/** What the `admin_link` of the event `run_failed` leads to: a run and its log, for people. */
export function runPage(app: App, platform: Platform): void {
  app.get("/console/runs/:run_id", (context) => {
    const id = integerParameter("run_id", context.req.param("run_id"));
    const run = platform.store.runs.find(id);
    if (!run) throw new NotFound(`Run ${id} not found`);
    const head = `Run ${id}: ${statusWord(platform.variants.statusWords, run.phase)}\n\n`;
    // As text, so that nothing in a log can become a part of a page.
    return context.text(head + (platform.store.runs.findLog(id) ?? ""));
  });
}
