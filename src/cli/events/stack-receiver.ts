import { z } from "zod";
import { parseJson } from "../../json/parse-json.ts";
import { reasonLines, runPulumi } from "../run-pulumi.ts";
import type { Place } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { CommandError } from "../subcommand.ts";
import type { ReceiverNames } from "./receiver-choice.ts";

/**
 * Reads the names of a receiver's resources from the outputs of a stack with the Pulumi CLI: from the output
 * `webhookReceiver`, which a stack in YAML has, or else from outputs of their own.
 *
 * @throws CommandError if the CLI cannot read the stack, or the stack has no receiver.
 */
export async function stackReceiver(place: Place, { stack, cwd }: StackChoice): Promise<ReceiverNames> {
  const named = stack === undefined ? [] : ["--stack", stack];
  const { code, stdout, stderr } = await runPulumi(
    place,
    ["stack", "output", "--json", "--non-interactive", ...named],
    {
      cwd,
    },
  );
  const what = stack === undefined ? "the selected stack" : `stack "${stack}"`;
  if (code !== 0) throw new CommandError(`cannot read the outputs of ${what}:${reasonLines([stderr])}`);
  // Never in a message: what the CLI printed.
  const parsed = parseJson(stdout);
  const outputs = parsed.isJson ? outputsSchema.safeParse(parsed.value).data : undefined;
  const names = namesSchema.safeParse(outputs?.webhookReceiver ?? outputs).data;
  if (names !== undefined) return names;
  throw new CommandError(
    `${what} has no webhook receiver: neither its output webhookReceiver nor its outputs themselves have ` +
      `${Object.keys(namesSchema.shape).join(", ")}. Export them, or name the resources on the command line`,
  );
}

const outputsSchema = z.record(z.string(), z.unknown());

const namesSchema = z.object({ ledgerName: z.string(), busName: z.string(), deadLetterQueueArn: z.string() });
