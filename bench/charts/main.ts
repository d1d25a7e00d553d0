// `npm run bench:charts`: the charts of docs/performance.md, from bench/results.json.
import { readResults } from "../results.ts";
import { writeCharts } from "./write-charts.ts";

const names = await writeCharts(readResults().courses);
console.log(names.length === 0 ? "bench/results.json has no results to draw yet." : `Drawn: ${names.join(", ")}.`);
