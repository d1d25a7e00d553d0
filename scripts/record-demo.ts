// `npm run record-demo`: runs the demo, and writes what it prints into docs/public: as a recording of asciinema (demo.cast), and
// as an animated picture (demo.svg), which the README and the site show.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { castOf, type Output } from "./record-demo/cast.ts";
import { castFile, pictureFile } from "./record-demo/files.ts";
import { pictureOf } from "./record-demo/picture.ts";

const cast = castOf("npm run demo", await runDemo());
await writeFile(castFile, cast);
await writeFile(pictureFile, pictureOf(cast));

/** What the demo prints, with the times. It is shown here too. */
async function runDemo(): Promise<Output[]> {
  const startedAt = performance.now();
  const outputs: Output[] = [];
  const program = join(import.meta.dirname, "../demo/main.ts");
  const demo = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  demo.stdout.setEncoding("utf8").on("data", (text: string) => {
    outputs.push({ seconds: (performance.now() - startedAt) / 1000, text });
    process.stdout.write(text);
  });
  const [code] = await once(demo, "close");
  if (code !== 0) throw new Error(`npm run demo ended with ${code}: nothing is recorded.`);
  return outputs;
}
