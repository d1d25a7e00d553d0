import { lstat, readdir, readFile, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parseJson } from "../../json/parse-json.ts";
import { decodeUtf8 } from "../../json/utf8.ts";
import type { Project } from "../../stack/yaml/project.ts";
import { hasCode, messageOf, toJson } from "../output.ts";
import { readText } from "../read-text.ts";
import { replaceFile } from "../replace-file.ts";
import { pathIn, type Shell } from "../shell.ts";
import { CommandError } from "../subcommand.ts";
import { noteSchema, type PauseNote } from "./note.ts";
import { withFileLock } from "./with-file-lock.ts";

/** The note's name, unless the command line says another. */
export const noteName = "integration-platform-pause.json";

/** The absolute path of the note: that of `--note`, or the default name in the folder of the project. */
export function notePath(shell: Pick<Shell, "directory">, { directory }: Project, note?: string): string {
  return note === undefined ? join(directory, noteName) : pathIn(shell, note);
}

/**
 * Reads a note.
 *
 * @param platform base URL of the platform that the command talks to.
 * @returns undefined if there is none.
 * @throws CommandError if the file is no note, or is about another platform.
 */
export async function readNote(path: string, platform: string): Promise<PauseNote | undefined> {
  const text = await textOf(path);
  if (text === undefined) return undefined;
  const note = noteIn(text);
  if (note === undefined) {
    throw new CommandError(
      `${path} is not a note that this version of \`pause\` has written: name another with --note`,
    );
  }
  if (note.platform !== platform) {
    throw new CommandError(
      `the note ${path} is about ${note.platform}, and this command talks to ${platform}: ` +
        "set INTEGRATION_PLATFORM_BASE_URL, or name another note with --note",
    );
  }
  return note;
}

/** The note of another incident. */
export interface OtherNote {
  path: string;
  note: PauseNote;
}

/** The names of notes that were set aside, and of those that a command wrote when it was killed. */
const notInUse = /\.(done-\w+|partial)$/;

/**
 * The notes of other incidents of the same platform in the folder of a note. Another incident has another reason.
 *
 * @throws CommandError if a file that seems to be a note cannot be read: its incident may need tenants paused.
 */
export async function otherNotes(path: string, { platform, reason }: PauseNote): Promise<OtherNote[]> {
  const paths = (await namesBeside(path))
    .filter((name) => !notInUse.test(name))
    .map((name) => join(dirname(path), name));
  const found = paths.map(async (one): Promise<OtherNote[]> => {
    const note = await noteAmongFiles(one);
    return note?.platform === platform && note.reason !== reason ? [{ path: one, note }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** The note that a file is; undefined if it is something else. */
async function noteAmongFiles(path: string): Promise<PauseNote | undefined> {
  const name = basename(path);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const mayBeNote = /^[^.].*\.json$/i.test(name); // a hidden one is an editor's
    if (!mayBeNote || hasCode(cause, "EISDIR") || (await isMissing(cause, path))) return undefined;
    throw new CommandError(
      `cannot read ${path}, which may be the note of another incident: ${messageOf(cause)}. Repair it, or move it to another folder`,
      { cause },
    );
  }
  const decoded = decodeUtf8(bytes);
  const note = "problem" in decoded ? undefined : noteIn(decoded.text);
  const seemsNote = /pause.*\.json$/i.test(name) || looksLikeNote(bytes.toString("latin1").replaceAll("\0", ""));
  if (note !== undefined || !seemsNote) return note;
  throw new CommandError(
    `${path} seems to be the note of another incident, and this version cannot read it. ` +
      "Restore it, use the version that has written it, or move it to another folder if that incident is over",
  );
}

/** Whether a text begins as a note does, or has what only a note has: it may be cut off, or of another version. */
function looksLikeNote(text: string): boolean {
  return /^\s*\{\s*"version":\s*\d+,\s*"platform":/.test(text) || text.includes('"wasPaused":');
}

/** The names of the files in the folder of a note. */
async function namesBeside(path: string): Promise<string[]> {
  try {
    return await readdir(dirname(path));
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return [];
    throw new CommandError(`cannot read the folder ${dirname(path)}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Does work while no other `pause` or `resume` changes the note. What the work changes has to follow from a note that it reads
 * itself: an older one lacks what other commands have done.
 */
export function withNoteLock<Result>(shell: Shell, path: string, work: () => Promise<Result>): Promise<Result> {
  return withFileLock(shell, `${path}.lock`, work);
}

/**
 * {@link withNoteLock} for several notes of one folder. All commands lock them in the same order, so that no two commands wait for
 * each other.
 */
export function withNoteLocks<Result>(
  shell: Shell,
  paths: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const inOrder = paths.toSorted((one, other) => (basename(one) < basename(other) ? -1 : 1));
  return inOrder.reduceRight((inner, path) => () => withNoteLock(shell, path, inner), work)();
}

/**
 * Writes a note and returns it. A reader sees the old or the new one and never a part. Only within {@link withNoteLock}.
 *
 * @throws CommandError if it cannot be written, or could not be read again.
 */
export async function writeNote(path: string, note: PauseNote): Promise<PauseNote> {
  try {
    await replaceFile(path, toJson(noteSchema.parse(note)));
  } catch (cause) {
    throw new CommandError(`cannot write the note ${path}: ${messageOf(cause)}`, { cause });
  }
  return note;
}

/** Renames a note when nothing is left to do. Returns its new path. Only within {@link withNoteLock}. */
export async function finishNote(path: string): Promise<string> {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const done = `${path}.done-${time}`;
  await rename(path, done);
  return done;
}

/** The paths of the notes that were set aside, the latest first. */
export async function doneNotes(path: string): Promise<string[]> {
  const done = (await namesBeside(path)).filter((name) => name.startsWith(`${basename(path)}.done-`)).sort();
  return done.reverse().map((name) => join(dirname(path), name));
}

function noteIn(text: string): PauseNote | undefined {
  const parsed = parseJson(text);
  return parsed.isJson ? noteSchema.safeParse(parsed.value).data : undefined;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readText(path);
  } catch (cause) {
    if (await isMissing(cause, path)) return undefined;
    throw new CommandError(`cannot read the note ${path}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Whether a file could not be read because there was none. A link to nowhere is there. A file that is there by now was written
 * since, by another command.
 */
async function isMissing(error: unknown, path: string): Promise<boolean> {
  if (!hasCode(error, "ENOENT")) return false;
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isSymbolicLink() !== true;
}
