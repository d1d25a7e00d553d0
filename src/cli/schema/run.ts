import { createOperationContext } from "../../operation/operation-context.ts";
import { writeOutput } from "../output.ts";
import type { Shell } from "../shell.ts";
import { clientOf, projectOfChoice, readStackFile, stackFile } from "../stack-file.ts";
import { type ExitCode, exitCodes } from "../subcommand.ts";
import { explained, printWarning } from "../with-platform.ts";
import { describeReleases } from "./describe-releases.ts";
import { renderSchema } from "./render.ts";

export interface SchemaOptions {
  stack: string;
  /** Folder of Pulumi.yaml, or a folder below it. Default: the working directory. */
  cwd?: string | undefined;
  /** A file, or `-` for standard output. */
  out: string;
}

/** Writes the JSON Schema of a stack's YAML with what its platform knows. */
export async function runSchema(shell: Shell, { stack: name, cwd, out }: SchemaOptions): Promise<ExitCode> {
  const project = projectOfChoice(shell, { cwd });
  const stack = readStackFile(shell, stackFile(project, name), project);
  const warn = (message: string) => printWarning(shell, message);
  try {
    const client = clientOf(shell, stack, warn);
    try {
      const additions = await describeReleases(createOperationContext({ client, warn }), stack);
      await writeOutput(shell, out, { what: "the schema", content: renderSchema(additions) });
    } finally {
      await client.close();
    }
  } catch (error) {
    throw explained(error, (message) => `${stack.name}: ${message}`);
  }
  return exitCodes.success;
}
