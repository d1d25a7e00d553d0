import type { RunRecord } from "../entities/run.ts";
import { json } from "../http/responses.ts";
import { usualErrors } from "../openapi/endpoint-description.ts";
import { requireRun, requireRunOfTrigger } from "../operations/require.ts";
import { signLog } from "../operations/signed-log.ts";
import { presentRun } from "../presenting/status.ts";
import { statusWord } from "../rules/status-words.ts";
import type { Variants } from "../variants.ts";
import type { Endpoint, Route } from "./endpoint.ts";

/** Specification, "Endpoints": Runs. */
export const runEndpoints: readonly Endpoint[] = [
  {
    method: "get",
    path: "/v2/runs/triggers/{trigger_id}/status",
    summary: "The status of a trigger's run",
    responses: { 200: "TriggerStatus", ...usualErrors },
    handle: ({ platform, parameter }) =>
      statusResponse(platform.variants, requireRunOfTrigger(platform, parameter("trigger_id"))),
  },
  {
    method: "get",
    path: "/v2/runs/{run_id}/log",
    summary: "A run's log",
    responses: { 302: undefined, ...usualErrors },
    handle: ({ platform, url, integer }) => {
      const location = new URL(signLog(platform, integer("run_id")), url).href;
      return new Response(null, { status: 302, headers: { location } });
    },
  },
];

/** The routes that the links of the event `run_failed` point to. The specification does not list them as endpoints. */
export const runLinkRoutes: readonly Route[] = [
  {
    method: "get",
    path: "/v2/runs/{run_id}",
    handle: ({ platform, integer }) => json(presentRun(platform.variants, requireRun(platform, integer("run_id")))),
  },
  {
    method: "get",
    path: "/v2/runs/{run_id}/status",
    handle: ({ platform, integer }) => statusResponse(platform.variants, requireRun(platform, integer("run_id"))),
  },
  {
    method: "get",
    path: "/v2/runs/{run_id}/triggers",
    handle: ({ platform, integer }) => json(requireRun(platform, integer("run_id")).triggers),
  },
];

function statusResponse({ statusWords }: Variants, { phase }: RunRecord): Response {
  return json({ status: statusWord(statusWords, phase) });
}
