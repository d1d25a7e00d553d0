#!/usr/bin/env node
// The command `integration-platform`.
import { allowClosedOutput } from "./closed-output.ts";
import { processShell } from "./process-shell.ts";
import { runCommandLine } from "./root-command.ts";

const shell = processShell(allowClosedOutput());
await runCommandLine(shell, process.argv.slice(2));
process.exitCode = shell.exitCode;
