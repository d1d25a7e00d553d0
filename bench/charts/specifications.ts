import type { TopLevelSpec } from "vega-lite";
import { backendNames } from "../backends/backend.ts";
import { contenderNames } from "../contenders/contender.ts";
import { stepNames } from "../steps.ts";
import { ofOneRunEach, type Point } from "./point.ts";

/** The charts for which there are enough points, by name. */
export function specificationsOf(allPoints: readonly Point[]): Record<string, TopLevelSpec> {
  const points = allPoints.filter(({ backend }) => backend === "file");
  const withoutLatency = points.filter(({ latencyMilliseconds }) => latencyMilliseconds === 0);
  const mostLatency = Math.max(0, ...points.map(({ latencyMilliseconds }) => latencyMilliseconds));
  const withLatency = points.filter((point) => point.latencyMilliseconds === mostLatency && mostLatency > 0);
  const creations = withoutLatency.filter(({ step }) => step === "create");
  const ofFleet = withoutLatency.filter(({ contender }) => contender === "fleet");
  const onBackends = pointsOnBackends(allPoints);
  return {
    ...(withoutLatency.length > 0 && { steps: stepsChart(ofOneRunEach(withoutLatency), "no added latency") }),
    ...(withLatency.length > 0 && {
      "steps-latency": stepsChart(ofOneRunEach(withLatency), `${mostLatency} ms added to each request`),
    }),
    ...(sizesOf(creations).length > 1 && { growth: growthChart(creations) }),
    ...(sizesOf(ofFleet).length > 1 && { fleet: fleetChart(ofFleet) }),
    ...(onBackends.length > 0 && { backends: backendsChart(onBackends) }),
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
  const scale = { domain: [...backendNames], range: ["#bab0ac", "#f58518", "#4c78a8"] };
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

/** Time of a creation by the number of tenants, both on logarithmic scales: a straight line of slope 1 is linear. */
function growthChart(points: readonly Point[]): TopLevelSpec {
  return {
    ...frame("Time to create, by the number of tenants (compare within one run only)", points),
    width: 520,
    height: 300,
    layer: markedLine,
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
    },
  };
}

/** Time and memory of a fleet by the number of tenants, both on linear scales. */
function fleetChart(points: readonly Point[]): TopLevelSpec {
  const panel = (field: "seconds" | "providerMegabytes", title: string) =>
    ({
      width: 340,
      height: 260,
      layer: markedLine,
      encoding: {
        x: { field: "size", type: "quantitative", title: "tenants" },
        y: { field, type: "quantitative", title },
        color: { field: "step", type: "nominal", sort: [...stepNames] },
      },
    }) as const;
  return {
    ...frame("A fleet, by the number of its tenants (compare within one run only)", points),
    hconcat: [panel("seconds", "seconds"), panel("providerMegabytes", "provider, peak MB")],
  };
}

/** The points of one run without latency, at the largest size that was measured on shared backends. */
function pointsOnBackends(points: readonly Point[]): Point[] {
  const shared = points.filter(({ backend, latencyMilliseconds }) => backend !== "file" && latencyMilliseconds === 0);
  const size = sizesOf(shared).at(-1);
  const latest = shared
    .filter((point) => point.size === size)
    .toSorted((left, right) => left.runStartedAt.localeCompare(right.runStartedAt))
    .at(-1);
  if (latest === undefined) return [];
  const { runStartedAt } = latest;
  const ofRun = points.filter((point) => point.size === size && point.runStartedAt === runStartedAt);
  const contenders = ofRun.filter(({ backend }) => backend !== "file").map(({ contender }) => contender);
  return ofRun.filter((point) => point.latencyMilliseconds === 0 && contenders.includes(point.contender));
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

/** A line may join points of several runs, so the shape of each point shows its run. */
const markedLine = [
  { mark: "line" as const },
  {
    mark: { type: "point", filled: true, size: 60 } as const,
    encoding: { shape: { field: "run", type: "nominal", title: null } as const },
  },
];

/** What determines the color. */
interface Colouring {
  readonly field: string;
  readonly type: "nominal";
  readonly scale: { domain: string[]; range: string[] };
  readonly title: null;
}

function frame(title: string, points: readonly Point[]) {
  const values = points.map((point) => ({ ...point }));
  return { title, background: "white", padding: 12, data: { values }, config: { font: "sans-serif" } } as const;
}

/** The titles of the panels, the smallest size first. */
function panelsOf(points: readonly Point[]): string[] {
  return [...new Set(points.toSorted((left, right) => left.size - right.size).map(({ panel }) => panel))];
}

function sizesOf(points: readonly Point[]): number[] {
  return [...new Set(points.map(({ size }) => size))].toSorted((left, right) => left - right);
}
