// `npm run audit`: the registry's vulnerabilities of the shipped dependencies.
import { dirname } from "node:path";
import { z } from "zod";
import { runCommand } from "../../engine/run-command.ts";
import { jsonIn } from "../../src/json/parse-json.ts";
import { shippedPackages } from "./shipped-packages.ts";

const reportSchema = z.looseObject({
  vulnerabilities: z.record(
    z.string(),
    z.looseObject({ severity: z.string(), range: z.string(), nodes: z.array(z.string()) }),
  ),
});
const failureSchema = z.looseObject({ message: z.string() });

/**
 * What a report of `npm audit --json` says of shipped packages, in lines for a log: vulnerabilities, none, or that there is
 * no report, which is not the same as none.
 *
 * @param shipped their places, such as `node_modules/undici`.
 */
export function auditLines(output: string, shipped: readonly string[]): string[] {
  const value = jsonIn(output);
  const { data: report } = reportSchema.safeParse(value);
  if (report === undefined) {
    const reason = failureSchema.safeParse(value).data?.message ?? "npm audit gave no report";
    return [
      `NOT AUDITED: ${inOneLine(reason)}`,
      "Whether the shipped dependencies have known vulnerabilities is not known.",
    ];
  }
  const found = Object.entries(report.vulnerabilities).filter(([, { nodes }]) =>
    nodes.some((place) => shipped.includes(place)),
  );
  const checked = `${shipped.length} shipped packages`;
  if (found.length === 0) return [`Audited: no known vulnerability (${checked}).`];
  const lines = found.map(([name, { severity, range }]) => `  ${severity}: ${name} ${range}`);
  return [`VULNERABLE: ${found.length} of ${checked}:`, ...lines];
}

if (import.meta.main) {
  // Without --omit=dev: what the receiver's bundles are made of is a development dependency, and shipped.
  const args = ["audit", "--json", "--loglevel=silent", "--fetch-retries=1", "--fetch-timeout=20000"];
  const cwd = dirname(dirname(import.meta.dirname));
  const { stdout } = await runCommand("npm", args, { cwd, timeLimitSeconds: 90 });
  const shipped = (await shippedPackages()).map(({ place }) => place);
  for (const line of auditLines(stdout, shipped)) console.log(line);
}

/** Removes addresses, because a log need not show where packages come from. */
function inOneLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\bhttps?:\/\/\S+/g, "the registry")
    .slice(0, 200);
}
