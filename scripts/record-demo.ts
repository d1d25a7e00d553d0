// `npm run record-demo [-- <drift | rollout>]`: runs the demos, and writes what they print into docs/public: as recordings of
// asciinema (*.cast), and some steps of them as pictures (*.svg), which the documents show.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { castOf, type Output } from "./record-demo/cast.ts";
import { type Recording, recordings } from "./record-demo/files.ts";
import { pictureOf } from "./record-demo/picture.ts";

const [wanted = ""] = process.argv.slice(2);
for (const recording of recordings.filter(({ pictureFile }) => pictureFile.includes(wanted))) {
  const cast = castOf(recording.command, await runDemo(recording));
  await writeFile(recording.castFile, cast);
  await writeFile(recording.pictureFile, pictureOf(cast, recording.steps));
}

/** What the demo prints on a terminal, with the times. It is shown here too. */
async function runDemo({ command, args }: Recording): Promise<Output[]> {
  const startedAt = performance.now();
  const outputs: Output[] = [];
  const program = join(import.meta.dirname, "../demo/main.ts");
  const env = { ...process.env, FORCE_COLOR: "1", NO_COLOR: undefined };
  const demo = spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  demo.stdout.setEncoding("utf8").on("data", (text: string) => {
    outputs.push({ seconds: (performance.now() - startedAt) / 1000, text });
    process.stdout.write(text);
  });
  const [code] = await once(demo, "close");
  if (code !== 0) throw new Error(`${command} ended with ${code}: nothing of it is recorded.`);
  return outputs;
}
