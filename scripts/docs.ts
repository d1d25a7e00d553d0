// `npm run docs [-- --serve]`: writes the pages of the reference, and builds the site of the documents into dist/site. With
// --serve, it then serves the site on http://localhost:4173.
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { serve } from "vitepress";
import { runCommand } from "../engine/run-command.ts";
import { buildSite, documents } from "./docs/build-site.ts";

const { values } = parseArgs({ options: { serve: { type: "boolean" } } });

await writeReference();
await buildSite();
if (values.serve) await serve({ root: documents });
else console.log("The site is in dist/site. `npm run docs -- --serve` shows it on http://localhost:4173.");

async function writeReference(): Promise<void> {
  const script = join(import.meta.dirname, "reference.ts");
  const options = { cwd: dirname(import.meta.dirname), timeLimitSeconds: 300 };
  const { code, stdout, stderr } = await runCommand(process.execPath, [script], options);
  if (code !== 0) throw new Error(`npm run reference failed.\n${stdout}${stderr}`);
}
