import type { ConnectionChoice, StackChoice } from "../stack-choice.ts";
import { parseWhere } from "./where.ts";

/**
 * The stack whose config has the connection, of a command whose `--cwd` also names the folder of the stacks' files. Without
 * `--stack`, the command needs no Pulumi: the selected stack only has the words that `--where` compares, if it asks for statuses.
 *
 * @throws UsageError if the expression is wrong.
 */
export function connectionOf({ stack, cwd, where }: StackChoice & { where?: string | undefined }): ConnectionChoice {
  if (stack !== undefined) return { stack, cwd };
  return where !== undefined && parseWhere(where).needsWords ? { wordsFrom: cwd } : {};
}
