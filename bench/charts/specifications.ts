import type { TopLevelSpec } from "vega-lite";
import { backendNames } from "../backends/backend.ts";
import { contenderNames, engineLogs } from "../contenders/contender.ts";
import { type StepName, stepNames } from "../steps.ts";
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

/** Bars of a step, one for each contender; a panel for each size, with a scale of its own. */
function stepsChart(points: readonly Point[], condition: string): TopLevelSpec {
  return {
    ...frame(`Wall time of each step, ${condition}`, points),
    columns: 2,
    facet: { field: "panel", type: "nominal", title: null, sort: panelsOf(points) },
    spec: { width: 420, height: 220, layer: barsOfSteps(color) },
    resolve: { scale: { y: "independent" } },
  };
}

/** Bars of a step, one for each backend; a panel for each contender, with a scale of its own. */
function backendsChart(points: readonly Point[]): TopLevelSpec {
  const scale = { domain: [...backendNames], range: ["#bab0ac", "#f58518", "#4c78a8", "#54a24b"] };
  return {
    ...frame(`Wall time of each step, by backend, ${panelsOf(points)}`, points),
    columns: 2,
    facet: { field: "contender", type: "nominal", title: null, sort: [...contenderNames] },
    spec: { width: 420, height: 220, layer: barsOfSteps({ field: "backend", type: "nominal", scale, title: null }) },
    resolve: { scale: { y: "independent" } },
  };
}

/** Bars side by side, grouped by color, with the spread of the rounds. */
function barsOfSteps(by: Colouring) {
  const place = { x: { ...stepAxis }, xOffset: { field: by.field, sort: by.scale.domain } } as const;
  return [
    {
      mark: "bar" as const,
      encoding: { ...place, y: { field: "seconds", type: "quantitative", title: "seconds" } as const, color: by },
    },
    {
      mark: { type: "rule", color: "#333333" } as const,
      encoding: {
        ...place,
        y: { field: "leastSeconds", type: "quantitative" } as const,
        y2: { field: "mostSeconds" },
      },
    },
  ];
}

/** Bars of a step, for states in a file beside states in a journal; a panel for each size, with a scale of its own. */
function journalChart(points: readonly Point[]): TopLevelSpec {
  const domain = [...new Set(points.map(({ entrant }) => entrant))].toSorted();
  const scale = { domain, range: ["#9ecae9", "#1f5a96", "#ffbf79", "#d6670b", "#7b61a8"] };
  return {
    ...frame("Wall time of each step, with the state in a file and in a journal", points),
    columns: 2,
    facet: { field: "panel", type: "nominal", title: null, sort: panelsOf(points) },
    spec: { width: 420, height: 220, layer: barsOfSteps({ field: "entrant", type: "nominal", scale, title: null }) },
    resolve: { scale: { y: "independent" } },
  };
}

/** Time of a creation by the number of tenants, both on logarithmic scales: a straight line of slope 1 is linear. */
function growthChart(points: readonly Point[]): TopLevelSpec {
  return {
    ...frame("Time to create, by the number of tenants", points),
    width: 520,
    height: 300,
    layer: markedLine({ field: "backend", type: "nominal", sort: [...backendNames], title: "state" }),
    encoding: {
      x: {
        field: "size",
        type: "quantitative",
        scale: { type: "log" },
        title: "tenants",
        axis: { values: sizesOf(points) },
      },
      y: { field: "seconds", type: "quantitative", scale: { type: "log" }, title: "seconds" },
      color,
      detail: { field: "run" },
    },
  };
}

/** Time and memory of fleets by the number of tenants, with the engine's log and without, all on linear scales. */
function fleetChart(points: readonly Point[]): TopLevelSpec {
  const panel = (step: StepName, field: "seconds" | "providerMegabytes", title: string) =>
    ({
      width: 340,
      height: 260,
      transform: onlyOf(step),
      layer: markedLine({ field: "engineLog", type: "nominal", sort: [...engineLogs], title: "engine's log" }),
      encoding: {
        x: { field: "size", type: "quantitative", title: "tenants" },
        y: { field, type: "quantitative", title },
        color,
        detail: { field: "run" },
      },
    }) as const;
  return {
    ...frame("Fleets, by the number of their tenants", points),
    hconcat: [
      panel("create", "seconds", "create, seconds"),
      panel("preview", "seconds", "preview, seconds"),
      panel("preview", "providerMegabytes", "preview, provider's peak MB"),
    ],
  };
}

function onlyOf(step: StepName) {
  return [{ filter: { field: "step", equal: step } }];
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

/** S3 and Postgres are measured with few tenants only. */
function isAtEverySize(backend: Point["backend"]): boolean {
  return backend !== "s3" && backend !== "postgres";
}

const stepAxis = {
  field: "step",
  type: "nominal",
  sort: [...stepNames],
  title: null,
  axis: { labelAngle: -25 },
} as const;
const color: Colouring = {
  field: "contender",
  type: "nominal",
  scale: { domain: [...contenderNames], range: ["#4c78a8", "#54a24b", "#9ecae9", "#88d27a", "#7b61a8", "#bab0ac"] },
  title: null,
};

/**
 * A line whose dashes show a field. Points of several runs have different shapes, and each chart joins only those of one run,
 * by its `detail`.
 */
function markedLine(strokeDash: { field: string; type: "nominal"; sort: string[]; title: string }) {
  return [
    { mark: "line" as const, encoding: { strokeDash } },
    {
      mark: { type: "point", filled: true, size: 60 } as const,
      encoding: { shape: { field: "run", type: "nominal", title: null } as const },
    },
  ];
}

/** What determines the color. */
interface Colouring {
  readonly field: string;
  readonly type: "nominal";
  readonly scale: { domain: string[]; range: string[] };
  readonly title: null;
}

function frame(title: string, points: readonly Point[]) {
  const values = points.map((point) => ({ ...point }));
  return {
    title,
    background: "white",
    padding: 12,
    data: { values },
    config: { font: "sans-serif", legend: { labelLimit: 300 } },
  } as const;
}

/** The titles of the panels, the smallest size first. */
function panelsOf(points: readonly Point[]): string[] {
  return [...new Set(points.toSorted((left, right) => left.size - right.size).map(({ panel }) => panel))];
}

function sizesOf(points: readonly Point[]): number[] {
  return [...new Set(points.map(({ size }) => size))].toSorted((left, right) => left - right);
}
