// A state service with journaling, for the benchmark and its tests only: the protocol of Pulumi Cloud as far as one user
// without a login needs it for `stack init`, `up`, `preview`, `refresh`, `destroy`, `cancel`, `stack export`, `stack import`
// and `stack rm`. It listens on loopback, checks no token, and keeps everything in one folder. It follows the engine's
// own client (pkg/backend/httpstate in the sources of Pulumi) and knows no secrets service, history, tags or policies.
// The process exits when its standard input ends, so it ends with the process that started it.
import { parseArgs } from "node:util";
import { listen } from "../../src/emulator/http/server.ts";
import { createApp } from "./app.ts";

const { values } = parseArgs({ options: { folder: { type: "string" } } });
if (values.folder === undefined) throw new Error("--folder is missing: the folder for the states");
const app = createApp(values.folder);
const server = await listen(async (request) => app.fetch(request), "127.0.0.1", 0);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stopAndEnd);
process.stdin.resume().once("end", stopAndEnd);
console.log(`Address: ${server.url}`);

function stopAndEnd(): void {
  void server.close().finally(() => process.exit());
}
