// `npm run audit`: what the registry knows against the dependencies that are shipped.
import { dirname } from "node:path";
import { z } from "zod";
import { runCommand } from "../engine/run-command.ts";

const reportSchema = z.looseObject({
  vulnerabilities: z.record(
    z.string(),
    z.looseObject({ severity: z.string(), range: z.string(), isDirect: z.boolean().optional() }),
  ),
  metadata: z.looseObject({ dependencies: z.looseObject({ prod: z.int() }) }),
});
const failureSchema = z.looseObject({ message: z.string() });

/**
 * What a report of `npm audit --json` says, in lines for a log: vulnerabilities, none, or that there is no report, which
 * is not the same as none.
 */
export function auditLines(output: string): string[] {
  const value = parse(output);
  const { data: report } = reportSchema.safeParse(value);
  if (report === undefined) {
    const reason = failureSchema.safeParse(value).data?.message ?? "npm audit gave no report";
    return [
      `NOT AUDITED: ${inOneLine(reason)}`,
      "Whether the shipped dependencies have known vulnerabilities is not known.",
    ];
  }
  const found = Object.entries(report.vulnerabilities);
  const checked = `${report.metadata.dependencies.prod} shipped packages, the project itself among them`;
  if (found.length === 0) return [`Audited: no known vulnerability (${checked}).`];
  const lines = found.map(([name, { severity, range }]) => `  ${severity}: ${name} ${range}`);
  return [`VULNERABLE: ${found.length} of ${checked}:`, ...lines];
}

if (import.meta.main) {
  const args = ["audit", "--omit=dev", "--json", "--loglevel=silent", "--fetch-retries=1", "--fetch-timeout=20000"];
  const cwd = dirname(import.meta.dirname);
  const { stdout } = await runCommand("npm", args, { cwd, timeLimitSeconds: 90 });
  for (const line of auditLines(stdout)) console.log(line);
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

/** Without addresses: a log need not say where packages come from. */
function inOneLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\bhttps?:\/\/\S+/g, "the registry")
    .slice(0, 200);
}
