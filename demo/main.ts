// `npm run demo`: tenants and their drift. `-- rollout`: a release goes from tenant to tenant in waves. `-- receiver`: what
// the operator of a webhook receiver sees.
import { tellDrift } from "./drift.ts";
import { tellReceiver } from "./receiver/main.ts";
import { tellRollout } from "./rollout/main.ts";

const stories = new Map([
  [undefined, { tell: tellDrift, takes: "8 steps, about half a minute" }],
  ["rollout", { tell: tellRollout, takes: "7 steps, about 3 minutes" }],
  ["receiver", { tell: tellReceiver, takes: "5 steps: half a minute, and some minutes more the first time" }],
]);
const usage = "Run `npm run demo`, `npm run demo -- rollout` or `npm run demo -- receiver`.";
const [name] = process.argv.slice(2);
const story = stories.get(name);
if (story !== undefined) {
  console.log(`The demo has ${story.takes}.`);
  await story.tell();
} else if (name === "--help" || name === "-h") console.log(usage);
else {
  console.error(`There is no demo "${name}". ${usage}`);
  process.exitCode = 1;
}
