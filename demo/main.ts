// `npm run demo`: tenants and their drift. `npm run demo -- rollout`: a release goes from tenant to tenant in waves.
import { tellDrift } from "./drift.ts";
import { tellRollout } from "./rollout/main.ts";

const stories = new Map([
  [undefined, tellDrift],
  ["rollout", tellRollout],
]);
const tell = stories.get(process.argv[2]);
if (tell === undefined) {
  console.error(`There is no demo "${process.argv[2]}": run \`npm run demo\` or \`npm run demo -- rollout\`.`);
  process.exit(1);
}
await tell();
