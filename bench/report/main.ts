// `npm run bench:report`: the tables and charts of the documents, from bench/results.json.
import { readResults } from "../results.ts";
import { documents, writeReport } from "./write-report.ts";

const charts = await writeReport(readResults());
console.log(`Tables: ${documents.join(", ")}. Charts: ${charts.join(", ") || "none, without results"}.`);
