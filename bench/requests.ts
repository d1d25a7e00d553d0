// `npm run bench:requests`: the cost of the client compared with bare undici, and of the emulator compared with a bare
// server. Each round runs all contenders one after the other. The result is the median round, as a ratio to bare undici on
// the bare server.
import { Agent, request } from "undici";
import { createClient } from "../src/api/index.ts";
import { table } from "../src/cli/fit.ts";
import { median } from "./figures.ts";
import { reportPages } from "./pages.ts";
import { reportRequestsPerTenant } from "./requests-per-tenant.ts";
import { startServer } from "./server-process.ts";

const rounds = 7;
const calls = 1_000;
const atOnce = 16;
const apiKey = "bench-key";

await using bare = await startServer("bench/bare-server.ts");
await using emulator = await startServer("src/cli/main.ts", "emulator", "--port", "0", "--api-key", apiKey);
const agent = new Agent({ connections: atOnce });

const contenders = [
  { name: "bare undici, bare server", ...bareCalls(bare.url) },
  { name: "client, bare server", ...clientCalls(bare.url) },
  { name: "bare undici, emulator", ...bareCalls(emulator.url) },
  { name: "client, emulator", ...clientCalls(emulator.url) },
];
const operations = ["list", "create"] as const;

for (const operation of operations) {
  const results = new Map(
    contenders.map(({ name }) => [name, { latency: [] as number[], throughput: [] as number[] }]),
  );
  for (let round = 0; round <= rounds; round += 1) {
    for (const contender of contenders) {
      const seconds = await time(calls / 4, 1, contender[operation]);
      const secondsAtOnce = await time(calls, atOnce, contender[operation]);
      if (round === 0) continue; // warm-up
      results.get(contender.name)?.latency.push((seconds * 1000 * 4) / calls);
      results.get(contender.name)?.throughput.push(calls / secondsAtOnce);
    }
  }
  report(operation, results);
}
await agent.close();
await Promise.all(contenders.map(({ end }) => end()));
await reportPages(apiKey);
await reportRequestsPerTenant();

function bareCalls(url: string) {
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  return {
    list: async () => (await request(`${url}/v2/tenants?limit=1`, { dispatcher: agent, headers })).body.json(),
    create: async () => {
      const body = JSON.stringify({ name: freshName(), integration_id: 101 });
      return (await request(`${url}/v2/tenants`, { dispatcher: agent, method: "POST", headers, body })).body.json();
    },
    end: async () => {},
  };
}

function clientCalls(url: string) {
  const client = createClient({ baseUrl: url, apiKey, concurrency: atOnce });
  return {
    list: () => client.tenants.listPage({ limit: 1 }),
    create: () => client.tenants.create({ name: freshName(), integration_id: 101 }),
    end: () => client.close(),
  };
}

function freshName() {
  return `t-${crypto.randomUUID()}`;
}

async function time(count: number, concurrency: number, call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  const worker = async () => {
    for (let i = 0; i < count / concurrency; i += 1) await call();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return (performance.now() - start) / 1000;
}

function report(operation: string, results: ReadonlyMap<string, { latency: number[]; throughput: number[] }>) {
  const base = results.get("bare undici, bare server");
  const rows = [...results].map(([name, { latency, throughput }]) => [
    name,
    median(latency).toFixed(3),
    (median(latency) / median(base?.latency ?? [])).toFixed(2),
    median(throughput).toFixed(0),
    (median(throughput) / median(base?.throughput ?? [])).toFixed(2),
  ]);
  console.log(`\n${operation}: median of ${rounds} rounds of ${calls} calls`);
  console.log(table([["", "ms per call", "ratio", `calls/s, ${atOnce} at once`, "ratio"], ...rows]));
}
