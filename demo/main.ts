// `npm run demo`: tenants and their drift. `-- rollout`: a release goes from tenant to tenant in waves. `-- receiver`: what
// the operator of a webhook receiver sees.
import { tellDrift } from "./drift.ts";
import { tellReceiver } from "./receiver/main.ts";
import { tellRollout } from "./rollout/main.ts";

const stories = new Map([
  [undefined, tellDrift],
  ["rollout", tellRollout],
  ["receiver", tellReceiver],
]);
const usage = "Run `npm run demo`, `npm run demo -- rollout` or `npm run demo -- receiver`.";
const [name] = process.argv.slice(2);
const tell = stories.get(name);
if (tell !== undefined) await tell();
else if (name === "--help" || name === "-h") console.log(usage);
else {
  console.error(`There is no demo "${name}". ${usage}`);
  process.exitCode = 1;
}
