import { html } from "hono/html";
import { type Html, moment } from "./elements.ts";

/** A band of a stacked chart: a number that changes at some times. */
export interface Band {
  /** What a browser shows while the pointer is on the band. */
  readonly label: string;
  /** The CSS class of its color. */
  readonly style: string;
  /** In any order. Times are in milliseconds since the epoch. */
  readonly changes: readonly { readonly at: number; readonly change: number }[];
}

/**
 * A chart of numbers over time, stacked, the first band at the bottom. It starts at the first change. It is an inline SVG
 * without scripts and styles, as the console's security policy demands; its labels are HTML, so that they keep their size.
 */
export function stackedChart(parts: {
  /** The chart in words, for screen readers. */
  readonly label: string;
  readonly bands: readonly Band[];
  /** The last time, in milliseconds since the epoch. */
  readonly endsAt: number;
}): Html {
  const { label, bands, endsAt } = parts;
  const startsAt = bands.reduce(
    (first, { changes }) => changes.reduce((time, { at }) => Math.min(time, at), first),
    endsAt,
  );
  const tops = stacked(bands.map(({ changes }) => columnsOf(changes, startsAt, endsAt)));
  const ticks = ticksUpTo(Math.max(1, ...(tops.at(-1) ?? [])));
  const y = (value: number) => round(chartHeight * (1 - value / (ticks.at(-1) ?? 1)));
  return html`<div class="chart">
    <div class="chart-scale" aria-hidden="true">${ticks.toReversed().map((tick) => html`<span>${tick}</span>`)}</div>
    <svg viewBox="0 0 ${columnCount} ${chartHeight}" preserveAspectRatio="none" role="img" aria-label="${label}">
      ${ticks.map((tick) => html`<line class="chart-line" x1="0" x2="${columnCount}" y1="${y(tick)}" y2="${y(tick)}"/>`)}
      ${bands.map(
        (band, index) =>
          html`<path class="band ${band.style}" d="${area(tops[index - 1], tops[index] ?? [], y)}"><title>${band.label}</title></path>`,
      )}
    </svg>
    <p class="chart-times"><span>${utc(startsAt)}</span><span>${utc(endsAt)}</span></p>
  </div>`;
}

const columnCount = 400;
const chartHeight = 100;

/** The number at the end of each column of the chart. */
function columnsOf(changes: Band["changes"], startsAt: number, endsAt: number): number[] {
  const columns = Array.from({ length: columnCount }, () => 0);
  for (const { at, change } of changes) {
    const share = endsAt > startsAt ? (Math.min(at, endsAt) - startsAt) / (endsAt - startsAt) : 0;
    const column = Math.min(Math.floor(share * columnCount), columnCount - 1);
    columns[column] = (columns[column] ?? 0) + change;
  }
  let sum = 0;
  return columns.map((change) => {
    sum += change;
    return sum;
  });
}

/** The tops of bands, each on the ones before it. */
function stacked(bands: readonly (readonly number[])[]): number[][] {
  let below: readonly number[] = [];
  return bands.map((band) => {
    const top = band.map((value, column) => value + (below[column] ?? 0));
    below = top;
    return top;
  });
}

/** The outline of a band: forward along its top, back along the top of the band below. Empty where it has no height. */
function area(below: readonly number[] | undefined, top: readonly number[], y: (value: number) => number): string {
  const bottom = top.map((_value, column) => below?.[column] ?? 0);
  if (top.every((value, column) => value === bottom[column])) return "";
  return `M${steps(top, y).join("L")}L${steps(bottom, y).reverse().join("L")}Z`;
}

/** The corners of a line with steps. Equal columns that follow each other have no corner between them. */
function steps(values: readonly number[], y: (value: number) => number): string[] {
  const corners: string[] = [];
  values.forEach((value, column) => {
    if (column > 0 && values[column - 1] === value) return;
    if (column > 0) corners.push(`${column} ${y(values[column - 1] ?? 0)}`);
    corners.push(`${column} ${y(value)}`);
  });
  return [...corners, `${values.length} ${y(values.at(-1) ?? 0)}`];
}

/** Round numbers from 0 to at least `most`, about four steps. */
function ticksUpTo(most: number): number[] {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, power * (roundSteps.find((candidate) => candidate * power >= rough) ?? 10));
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

const roundSteps = [1, 2, 5, 10];

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function utc(milliseconds: number): Html {
  return html`${moment(new Date(milliseconds).toISOString())} UTC`;
}
