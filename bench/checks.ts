// `npm run bench:checks`: checks the configs of 2,000 tenants against a schema with 200 names of keys, and against one with 200
// patterns of keys, and looks up the annotations of each value. Prints the processor time, and the ratio of the two.
import { parseArgs } from "node:util";
import { table } from "../src/cli/fit.ts";
import { compileReleaseSchema } from "../src/json-schema/index.ts";

const { values } = parseArgs({
  options: { tenants: { type: "string", default: "2000" }, patterns: { type: "string", default: "200" } },
});
const [tenants, size] = [Number(values.tenants), Number(values.patterns)];

const part = { type: "string", maxLength: 200 };
const keysOf = Array.from({ length: size }, (_, index) => `key_${index}`);
const schemas = {
  names: { properties: Object.fromEntries(keysOf.map((key) => [key, part])) },
  patterns: { patternProperties: Object.fromEntries(keysOf.map((key) => [`^${key}$`, part])) },
};
const shownKeys = keysOf.slice(0, 10);

/** The processor seconds of the checks and the look-ups. */
function measure(schema: (typeof schemas)[keyof typeof schemas]): { checks: number; lookups: number } {
  const compiled = compileReleaseSchema(schema);
  const timed = (work: (configs: object) => void) => {
    const before = process.cpuUsage();
    for (let tenant = 0; tenant < tenants; tenant += 1) {
      work(Object.fromEntries(shownKeys.map((key) => [key, `value ${tenant}`])));
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000_000;
  };
  return {
    checks: timed((configs) => compiled.violations(configs)),
    lookups: timed((configs) => {
      for (const key of Object.keys(configs)) compiled.isHidden([key]);
    }),
  };
}

const results = Object.entries(schemas).map(([name, schema]) => ({ name, ...measure(schema) }));
const rows = results.map(({ name, checks, lookups }) => [`${size} ${name}`, checks.toFixed(3), lookups.toFixed(3)]);
console.log(`${tenants} tenants with ${shownKeys.length} values each, processor seconds`);
console.log(table([["schema", "checks", "annotations"], ...rows]));
const [names, patterns] = results;
if (names !== undefined && patterns !== undefined) {
  console.log(`Patterns cost ${(patterns.checks / names.checks).toFixed(1)} times the checks of names, and \
${(patterns.lookups / names.lookups).toFixed(1)} times the look-ups of annotations.`);
}
