// `npm run bench:report`: the tables and charts of docs/performance.md and docs/guides/backends.md, from bench/results.json.
import { readResults } from "../results.ts";
import { documents, writeReport } from "./write-report.ts";

const charts = await writeReport(readResults());
console.log(`Tables: ${documents.join(", ")}. Charts: ${charts.join(", ") || "none, without results"}.`);
