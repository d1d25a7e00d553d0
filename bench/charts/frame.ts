import { contenderNames } from "../contenders/contender.ts";
import type { Point } from "./point.ts";

/** What determines the color. */
export interface Colouring {
  readonly field: string;
  readonly type: "nominal";
  readonly scale: { domain: string[]; range: string[] };
  readonly title: null;
}

/** The colors of the contenders. */
export const color: Colouring = {
  field: "contender",
  type: "nominal",
  scale: { domain: [...contenderNames], range: ["#4c78a8", "#54a24b", "#9ecae9", "#88d27a", "#7b61a8", "#bab0ac"] },
  title: null,
};

/** What all charts have in common. */
export function frame(title: string, points: readonly Point[]) {
  const values = points.map((point) => ({ ...point }));
  return {
    title,
    background: "white",
    padding: 12,
    data: { values },
    config: { font: "sans-serif", legend: { labelLimit: 300 } },
  } as const;
}

/** The sizes of the points, in ascending order. */
export function sizesOf(points: readonly Point[]): number[] {
  return [...new Set(points.map(({ size }) => size))].toSorted((left, right) => left - right);
}
