import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../src/emulator/index.ts";

const repository = join(import.meta.dirname, "../..");
const page = await readFile(join(repository, "docs/guides/incidents.md"), "utf8");
const lines = [...page.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = ""]) => block.trim().split("\n"));
const commands = lines.filter((line) => /^integration-platform (status|pause|resume) /.test(`${line} `));

test("the commands of docs/guides/incidents.md work in their order, as a shell reads them", {
  timeout: 60_000,
}, async () => {
  expect(commands.length).toBeGreaterThan(4);
  const folder = await mkdtemp(join(tmpdir(), "incidents-document-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tenants = ["acme", "bluebird"].map((name) => ({
    integration: "crm-to-billing",
    name,
    paused: false,
    integration_release_id: 11,
  }));
  await using open = new AsyncDisposableStack();
  const emulator = await createEmulator({
    seed: { integrations: [{ name: "crm-to-billing", releases: [{ id: 11, name: "one", tag: "v1.4.0" }] }], tenants },
  });
  open.defer(() => emulator.close());
  const stack = `config:
  integration-platform:baseUrl: ${emulator.url}
  integration-platform:tenants:
    acme: { integration: crm-to-billing, paused: false }
    bluebird: { integration: crm-to-billing, paused: false }
`;
  await writeFile(join(folder, "Pulumi.production.yaml"), stack);
  const script = `#!/bin/sh\nexec "${process.execPath}" "${join(repository, "src/cli/main.ts")}" "$@"\n`;
  await writeFile(join(folder, "integration-platform"), script);
  await chmod(join(folder, "integration-platform"), 0o755);
  const env = {
    ...process.env,
    PATH: [folder, process.env.PATH].join(delimiter),
    INTEGRATION_PLATFORM_BASE_URL: emulator.url,
    INTEGRATION_PLATFORM_API_KEY: emulator.apiKey,
  };
  for (const command of commands) {
    const outcome = await new Promise((resolve) => {
      execFile("sh", ["-c", command], { env, cwd: folder }, (error, _, stderr) =>
        resolve({ command, code: error === null ? 0 : error.code, stderr }),
      );
    });
    expect(outcome).toEqual({ command, code: 0, stderr: "" });
  }
  const resumed = emulator.requests().filter(({ method, body }) => method === "PATCH" && Object(body).paused === false);
  expect(resumed).toHaveLength(2);
  expect(await readFile(join(folder, "Pulumi.production.yaml"), "utf8")).toBe(stack);
});

test("the README leads to docs/guides/incidents.md", async () => {
  expect(await readFile(join(repository, "README.md"), "utf8")).toContain("(docs/guides/incidents.md)");
});
