#!/usr/bin/env node
// The command `integration-platform`.
import { allowClosedOutput } from "./closed-output.ts";
import { rootCommand } from "./root-command.ts";

allowClosedOutput();
await rootCommand().parseAsync();
