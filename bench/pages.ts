import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { table } from "../src/cli/fit.ts";
import { median } from "./figures.ts";
import { startServer } from "./server-process.ts";

const [few, many] = [1_000, 10_000];
const rounds = 7;
const firstPage = "integration_id=1";
const queries = [firstPage, "integration_id=1&skip=4500", "skip=9500", "sort_by=name__ASC&skip=5000"];

/** Prints the time of a page of 500 tenants among 10,000, as a ratio to the first page among 1,000, on the emulator. */
export async function reportPages(apiKey: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "integration-platform-bench-"));
  await using small = await startSeeded(few);
  await using large = await startSeeded(many);
  const base = median(await times(small.url, firstPage));
  const rows: string[][] = [];
  for (const query of queries) {
    const milliseconds = median(await times(large.url, query));
    rows.push([query, milliseconds.toFixed(2), (milliseconds / base).toFixed(2)]);
  }
  await rm(folder, { recursive: true, force: true });
  console.log(`\npage of 500 among ${many} tenants: median of ${rounds}; ratio to the first page among ${few}`);
  console.log(table([["", "ms", "ratio"], ...rows]));

  async function startSeeded(count: number) {
    const seed = join(folder, `${count}.json`);
    const integrations = [1, 2].map((id) => ({ id, name: `integration-${id}` }));
    const tenants = Array.from({ length: count }, (_, index) => ({
      integration: 1 + (index % 2),
      name: `tenant-${index}`,
      configs: { region: "eu", text: "x".repeat(200) },
    }));
    await writeFile(seed, JSON.stringify({ integrations, tenants }));
    return startServer("src/cli/main.ts", "emulator", "--port", "0", "--api-key", apiKey, "--seed", seed);
  }

  async function times(url: string, query: string): Promise<number[]> {
    const found: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const start = performance.now();
      const { body } = await request(`${url}/v2/tenants?limit=500&${query}`, { headers: { "x-api-key": apiKey } });
      await body.json();
      if (round > 0) found.push(performance.now() - start); // the first round is a warm-up
    }
    return found;
  }
}
