import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { runCli } from "../cli/run-cli.ts";
import type { StackProject } from "../engine/harness/create-project.ts";

/** Runs `integration-platform rollout status` on a project's state. A script stands in for `pulumi`. */
export async function rolloutStatus(project: StackProject, ...args: readonly string[]) {
  const { directory } = project;
  await project.put("state.json", (await project.exportState()).text);
  const script = `#!/bin/sh\nif [ "$1" = config ]; then echo '{}'; else cat "${directory}/state.json"; fi\n`;
  await writeFile(join(directory, "pulumi"), script, { mode: 0o755 });
  const env = { PATH: [directory, process.env.PATH].join(delimiter) };
  return runCli(undefined, ["rollout", "status", ...args], env, directory);
}
