import type { TopLevelSpec } from "vega-lite";
import { isAtEverySize } from "../backends/backend.ts";
import { backendsChart, journalChart, stepsChart } from "./bars.ts";
import { sizesOf } from "./frame.ts";
import { fleetChart, growthChart } from "./lines.ts";
import { ofOneRunEach, type Point } from "./point.ts";

/** The charts for which there are enough points, by name. */
export function specificationsOf(allPoints: readonly Point[]): Record<string, TopLevelSpec> {
  const withoutLatency = allPoints.filter(({ latencyMilliseconds }) => latencyMilliseconds === 0);
  const points = allPoints.filter(({ backend, engineLog }) => backend === "file" && engineLog === "on");
  const mostLatency = Math.max(0, ...points.map(({ latencyMilliseconds }) => latencyMilliseconds));
  const quick = points.filter(({ latencyMilliseconds }) => latencyMilliseconds === 0);
  const delayed = points.filter(({ latencyMilliseconds }) => latencyMilliseconds === mostLatency);
  const creations = withoutLatency.filter(
    ({ step, engineLog, backend }) => step === "create" && engineLog === "on" && isAtEverySize(backend),
  );
  const ofFleets = withoutLatency.filter(({ contender, backend }) => /fleet/.test(contender) && backend === "file");
  const onBackends = pointsOnBackends(withoutLatency);
  const besideJournal = pointsBesideJournal(withoutLatency);
  return {
    ...(quick.length > 0 && { steps: stepsChart(ofOneRunEach(quick), "no added latency") }),
    ...(mostLatency > 0 && {
      "steps-latency": stepsChart(ofOneRunEach(delayed), `${mostLatency} ms added to each request`),
    }),
    ...(sizesOf(creations).length > 1 && { growth: growthChart(creations) }),
    ...(sizesOf(ofFleets).length > 1 && { fleet: fleetChart(ofFleets) }),
    ...(onBackends.length > 0 && { backends: backendsChart(onBackends) }),
    ...(besideJournal.length > 0 && { journal: journalChart(besideJournal) }),
  };
}

/** The points of one run, at the largest size that was measured on the backends that are measured at few sizes. */
function pointsOnBackends(points: readonly Point[]): Point[] {
  const shared = points.filter(({ backend }) => !isAtEverySize(backend));
  const size = sizesOf(shared).at(-1);
  const latest = shared
    .filter((point) => point.size === size)
    .toSorted((left, right) => left.runStartedAt.localeCompare(right.runStartedAt))
    .at(-1);
  if (latest === undefined) return [];
  const { runStartedAt } = latest;
  const ofRun = points.filter((point) => point.size === size && point.runStartedAt === runStartedAt);
  const contenders = ofRun.filter(({ backend }) => !isAtEverySize(backend)).map(({ contender }) => contender);
  return ofRun.filter((point) => point.engineLog === "on" && contenders.includes(point.contender));
}

/** For each run and size with a journal: those with a resource for each tenant on both backends, and Terraform. */
function pointsBesideJournal(points: readonly Point[]): Point[] {
  const isResourceEach = ({ contender }: Point) => ["native", "tenants", "terraform"].includes(contender);
  const candidates = points.filter((point) => isAtEverySize(point.backend) && isResourceEach(point));
  return [...Map.groupBy(candidates, ({ panel }) => panel).values()]
    .filter((ofRun) => ofRun.some(({ backend }) => backend !== "file"))
    .flat();
}
