// `npm run bench -- [--sizes 100,1000] [--contenders tenants,fleet]`: the ways to declare many tenants side by side, on
// the real engine and an emulator in another process. Ratios count, not seconds.
import { parseArgs } from "node:util";
import { table } from "../src/cli/table.ts";
import { createProject, type Project } from "../test/engine/harness/create-project.ts";
import { type Contender, contenders } from "./contenders.ts";
import { watchProviderMemory } from "./provider-memory.ts";
import { startServer } from "./server-process.ts";

const apiKey = "bench-key";
const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100,1000" },
    contenders: { type: "string", default: contenders.map(({ name }) => name).join() },
  },
});
const chosen = contenders.filter(({ name }) => values.contenders.split(",").includes(name));

/** What the contenders are timed at, in this order. */
const steps: {
  name: string;
  run: (project: Project) => Promise<{ code: number | null; stdout: string; stderr: string }>;
}[] = [
  { name: "create", run: (project) => project.up([], limit) },
  { name: "no-op up", run: (project) => project.up(["--expect-no-changes"], limit) },
  { name: "preview --refresh", run: (project) => project.run(["preview", "--refresh", "--expect-no-changes"], limit) },
  { name: "destroy", run: (project) => project.destroy([], limit) },
];
const limit = { timeLimitSeconds: 1800 };

for (const size of values.sizes.split(",").map(Number)) {
  const rows = [];
  for (const contender of chosen) rows.push(await measure(contender, size));
  console.log(`\n${size} tenants`);
  console.log(table([["", ...steps.map(({ name }) => name), "provider, peak MB", "state, bytes a tenant"], ...rows]));
}

async function measure({ name, program }: Contender, size: number): Promise<string[]> {
  await using emulator = await startServer("src/emulator/main.ts", "--port", "0", "--api-key", apiKey);
  const env = { INTEGRATION_PLATFORM_BASE_URL: emulator.url, INTEGRATION_PLATFORM_API_KEY: apiKey };
  await using project = await createProject({ stackYaml: "config: {}\n", program: program(size), env });
  const memory = watchProviderMemory();
  const cells: string[] = [];
  let stateBytes = 0;
  for (const step of steps) {
    await fetch(`${emulator.url}/_emulator/requests`, { method: "DELETE" });
    const start = performance.now();
    const { code, stdout, stderr } = await step.run(project);
    const seconds = (performance.now() - start) / 1000;
    if (code !== 0) throw new Error(`${name}, ${size} tenants, ${step.name}: ended with ${code}\n${stdout}\n${stderr}`);
    cells.push(`${seconds.toFixed(1)} s, ${await countLists(emulator.url)} lists`);
    if (step.name === "create") stateBytes = (await project.mustRun(["stack", "export"])).stdout.length;
  }
  return [name, ...cells, String(memory()), String(Math.round(stateBytes / size))];
}

async function countLists(url: string): Promise<number> {
  const log: unknown = await (await fetch(`${url}/_emulator/requests`)).json();
  const requests = Array.isArray(log) ? log : [Object(log).requests].flat();
  return requests.filter(({ method, path }) => method === "GET" && path === "/v2/tenants").length;
}
