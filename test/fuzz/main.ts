// `npm run test:fuzz`: the long form; see `usage`.
import { parseArgs } from "node:util";
import { runMain, seedFrom, wholeNumber } from "../command-line.ts";
import { properties } from "./properties.ts";

const usage = `Fuzzes all that comes from outside.

  --cases N   for each property; default 100000
  --seed S    replays a run; default: a new one
  --only TEXT the properties whose name holds this text
  --help      this text

It ends at the first input that a property does not hold of, with the smallest such input and the seed.`;

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { cases: text, seed: text, only: text, help: { type: "boolean" } } });
  if (values.help) return console.log(usage);
  const cases = wholeNumber("--cases", values.cases ?? "100000");
  const seed = seedFrom(values.seed);
  const chosen = properties.filter(({ name }) => name.includes(values.only ?? ""));
  if (chosen.length === 0) throw new Error(`--only: no property holds "${values.only}" in its name`);

  console.log(`seed ${seed}`);
  for (const property of chosen) {
    const startedAt = Date.now();
    const { cases: ran, slowestMilliseconds } = await property.check({ cases, seed });
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    console.log(
      `${property.name}: ${ran} cases hold, the slowest took ${slowestMilliseconds} ms of CPU time (${seconds} s)`,
    );
  }
}

await runMain(main);
