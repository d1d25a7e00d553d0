import type { TopLevelSpec } from "vega-lite";
import { backendNames } from "../backends/backend.ts";
import { engineLogs } from "../contenders/contender.ts";
import type { StepName } from "../steps.ts";
import { color, frame, sizesOf } from "./frame.ts";
import type { Point } from "./point.ts";

/** Time of a creation by the number of tenants, both on logarithmic scales: a straight line of slope 1 is linear. */
export function growthChart(points: readonly Point[]): TopLevelSpec {
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
export function fleetChart(points: readonly Point[]): TopLevelSpec {
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
