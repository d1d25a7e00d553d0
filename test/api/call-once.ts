import { createClient } from "../../src/api/index.ts";
import { apiKey } from "./scripted-server.ts";

// A process of its own that makes one call, and says how it ended: `node call-once.ts <base URL> list|log|build`.

const [, , baseUrl = "", what = "list"] = process.argv;
const client = createClient({ baseUrl, apiKey, maxAttempts: 1, allowInsecureHttp: ["platform.test"] });
const calls: Record<string, () => Promise<unknown>> = {
  list: () => client.tenants.listPage(),
  log: () => client.runs.getLog(7),
  build: () => client.builds.create({ tag: "v1", integration_id: 1 }),
};
try {
  await calls[what]?.();
  console.log("a value");
} catch (error) {
  console.log(error instanceof Error ? `${error.name}: ${error.message.slice(0, 500)}` : "unknown");
}
await client.close();
