import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { jsonValueSchema } from "../../json/json-value-schema.ts";
import { parseJson } from "../../json/parse-json.ts";
import { hasCode, messageOf, toJson } from "../output.ts";
import { readText } from "../read-text.ts";
import { replaceFile } from "../replace-file.ts";
import { pathIn, type Shell } from "../shell.ts";
import { CommandError } from "../subcommand.ts";

const timeSchema = z.iso.datetime();

/** A difference that runs of `drift` found, and when. */
const findingSchema = z.object({
  project: z.string().optional(),
  stack: z.string(),
  tenant: z.string(),
  tenantId: z.int().optional(),
  resource: z.string(),
  /** For example `configs.region`. Absent if the tenant as a whole differs. */
  field: z.string().optional(),
  declared: jsonValueSchema.optional(),
  actual: jsonValueSchema.optional(),
  /** If true, `(secret)` takes the place of both values. */
  isSecret: z.boolean(),
  /** As the first run found it. */
  changedOn: z.enum(["platform", "program"]),
  firstFoundAt: timeSchema,
  lastFoundAt: timeSchema,
  /** When a run no longer found it. */
  goneAt: timeSchema.optional(),
});

const formatName = "integration-platform drift history";

const historySchema = z.object({
  format: z.literal(formatName),
  version: z.literal(1),
  /** The last run for each stack. */
  runs: z.array(z.object({ project: z.string().optional(), stack: z.string(), lastRunAt: timeSchema })),
  findings: z.array(findingSchema),
});

const newerSchema = z.object({ format: z.literal(formatName), version: z.int().min(2) });

export type Finding = z.infer<typeof findingSchema>;
export type DriftHistory = z.infer<typeof historySchema>;

/**
 * Reads a history. A file that does not exist is an empty one.
 *
 * @throws CommandError if the file is not a history, or if it cannot be written.
 */
export async function readHistory(shell: Pick<Shell, "directory">, path: string): Promise<DriftHistory> {
  const text = await historyText(await placeOf(pathIn(shell, path))).catch((cause: unknown) => {
    throw unusable(path, messageOf(cause), cause);
  });
  if (text === undefined) return { format: formatName, version: 1, runs: [], findings: [] };
  const parsed = parseJson(text);
  if (!parsed.isJson) throw unusable(path, `it is ${text.trim() === "" ? "empty" : parsed.problem}`);
  const history = historySchema.safeParse(parsed.value);
  if (history.success) return history.data;
  const isNewer = newerSchema.safeParse(parsed.value).success;
  throw unusable(path, isNewer ? "a newer version of this command wrote it" : "`drift --history` did not write it");
}

/** Replaces the file at once, so that a reader sees either the old or the new history, and a kill leaves one of them. */
export async function writeHistory(
  shell: Pick<Shell, "directory">,
  path: string,
  history: DriftHistory,
): Promise<void> {
  try {
    await replaceFile(pathIn(shell, path), toJson(history));
  } catch (cause) {
    throw new CommandError(`cannot write the drift history to ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** The content of a file that can be replaced; `undefined` if it does not exist yet. */
async function historyText(place: string): Promise<string | undefined> {
  await access(dirname(place), constants.W_OK);
  const existing = await stat(place).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  });
  if (existing === undefined) return undefined;
  if (!existing.isFile()) throw new Error("it is not a regular file");
  await access(place, constants.W_OK);
  return readText(place);
}

function unusable(path: string, reason: string, cause?: unknown): CommandError {
  const hint = "Nothing was changed. Name another file, or move this one away to begin a new history";
  return new CommandError(`cannot use ${path} as the drift history: ${reason}. ${hint}`, { cause });
}

/** Where a symbolic link leads, so that the file is replaced and not the link. */
async function placeOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
