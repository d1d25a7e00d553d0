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
const tell = stories.get(process.argv[2]);
if (tell === undefined) {
  console.error(
    `There is no demo "${process.argv[2]}": run \`npm run demo\`, \`npm run demo -- rollout\` or \`npm run demo -- receiver\`.`,
  );
  process.exit(1);
}
await tell();
