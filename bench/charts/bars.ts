import type { TopLevelSpec } from "vega-lite";
import { backendNames } from "../backends/backend.ts";
import { contenderNames } from "../contenders/contender.ts";
import { stepNames } from "../steps.ts";
import { type Colouring, color, frame } from "./frame.ts";
import type { Point } from "./point.ts";

/** Bars of a step, one for each contender; a panel for each size, with a scale of its own. */
export function stepsChart(points: readonly Point[], condition: string): TopLevelSpec {
  return {
    ...frame(`Wall time of each step, ${condition}`, points),
    columns: 2,
    facet: { field: "panel", type: "nominal", title: null, sort: panelsOf(points) },
    spec: { width: 420, height: 220, layer: barsOfSteps(color) },
    resolve: { scale: { y: "independent" } },
  };
}

/** Bars of a step, one for each backend; a panel for each contender, with a scale of its own. */
export function backendsChart(points: readonly Point[]): TopLevelSpec {
  const scale = { domain: [...backendNames], range: ["#bab0ac", "#f58518", "#4c78a8", "#54a24b"] };
  return {
    ...frame(`Wall time of each step, by backend, ${panelsOf(points)}`, points),
    columns: 2,
    facet: { field: "contender", type: "nominal", title: null, sort: [...contenderNames] },
    spec: { width: 420, height: 220, layer: barsOfSteps({ field: "backend", type: "nominal", scale, title: null }) },
    resolve: { scale: { y: "independent" } },
  };
}

/** Bars of a step, for states in a file beside states in a journal; a panel for each size, with a scale of its own. */
export function journalChart(points: readonly Point[]): TopLevelSpec {
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

const stepAxis = {
  field: "step",
  type: "nominal",
  sort: [...stepNames],
  title: null,
  axis: { labelAngle: -25 },
} as const;

/** The titles of the panels, the smallest size first. */
function panelsOf(points: readonly Point[]): string[] {
  return [...new Set(points.toSorted((left, right) => left.size - right.size).map(({ panel }) => panel))];
}
