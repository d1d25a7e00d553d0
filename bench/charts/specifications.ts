import type { TopLevelSpec } from "vega-lite";
import { stepNames } from "../steps.ts";
import type { Point } from "./point.ts";

/** The charts that the points are enough for, by name. */
export function specificationsOf(points: readonly Point[]): Record<string, TopLevelSpec> {
  const withoutLatency = points.filter(({ latencyMilliseconds }) => latencyMilliseconds === 0);
  const mostLatency = Math.max(0, ...points.map(({ latencyMilliseconds }) => latencyMilliseconds));
  const withLatency = points.filter((point) => point.latencyMilliseconds === mostLatency && mostLatency > 0);
  const creations = withoutLatency.filter(({ step }) => step === "create");
  const ofFleet = withoutLatency.filter(({ contender }) => contender === "fleet");
  return {
    ...(withoutLatency.length > 0 && { steps: stepsChart(withoutLatency, "no added latency") }),
    ...(withLatency.length > 0 && {
      "steps-latency": stepsChart(withLatency, `${mostLatency} ms added to each request`),
    }),
    ...(sizesOf(creations).length > 1 && { growth: growthChart(creations) }),
    ...(sizesOf(ofFleet).length > 1 && { fleet: fleetChart(ofFleet) }),
  };
}

/** Bars of a step beside each other, with the spread of the rounds; a panel for each size, with a scale of its own. */
function stepsChart(points: readonly Point[], condition: string): TopLevelSpec {
  const place = { x: { ...stepAxis }, xOffset: { field: "contender", sort: contenderOrder } } as const;
  return {
    ...frame(`Wall time of each step, ${condition}`, points),
    columns: 2,
    facet: { field: "size", type: "ordinal", title: "tenants" },
    spec: {
      width: 420,
      height: 220,
      layer: [
        {
          mark: "bar",
          encoding: { ...place, y: { field: "seconds", type: "quantitative", title: "seconds" }, color },
        },
        {
          mark: { type: "rule", color: "#333333" },
          encoding: { ...place, y: { field: "leastSeconds", type: "quantitative" }, y2: { field: "mostSeconds" } },
        },
      ],
    },
    resolve: { scale: { y: "independent" } },
  };
}

/** Time of a creation by the number of tenants, both on logarithmic scales: a straight line of slope 1 is linear. */
function growthChart(points: readonly Point[]): TopLevelSpec {
  return {
    ...frame("Time to create, by the number of tenants", points),
    width: 520,
    height: 300,
    mark: { type: "line", point: true },
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
      mark: { type: "line", point: true },
      encoding: {
        x: { field: "size", type: "quantitative", title: "tenants" },
        y: { field, type: "quantitative", title },
        color: { field: "step", type: "nominal", sort: [...stepNames] },
      },
    }) as const;
  return {
    ...frame("A fleet, by the number of its tenants", points),
    hconcat: [panel("seconds", "seconds"), panel("providerMegabytes", "provider, peak MB")],
  };
}

const contenderOrder = ["tenants", "fleet", "terraform", "plain"];
const stepAxis = {
  field: "step",
  type: "nominal",
  sort: [...stepNames],
  title: null,
  axis: { labelAngle: -25 },
} as const;
const color = {
  field: "contender",
  type: "nominal",
  scale: { domain: contenderOrder, range: ["#4c78a8", "#54a24b", "#7b61a8", "#bab0ac"] },
  title: null,
} as const;

function frame(title: string, points: readonly Point[]) {
  const values = points.map((point) => ({ ...point }));
  return { title, background: "white", padding: 12, data: { values }, config: { font: "sans-serif" } } as const;
}

function sizesOf(points: readonly Point[]): number[] {
  return [...new Set(points.map(({ size }) => size))].toSorted((left, right) => left - right);
}
