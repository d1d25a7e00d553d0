import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { replay } from "./replay.ts";
import { type Checkpoint, checkpointSchema, type JournalEntry, journalEntrySchema } from "./schemas.ts";

/** The name of a stack: organization, project and stack. Each is a name of a file. */
export interface StackName {
  readonly organization: string;
  readonly project: string;
  readonly stack: string;
}

/** The files of all stacks: a checkpoint for each, and the journal of the update since then. */
export interface StackFiles {
  has(name: StackName): boolean;
  list(): Promise<StackName[]>;
  /** The state now: the checkpoint with the journal replayed on it. */
  read(name: StackName): Promise<Checkpoint>;
  /** Writes a checkpoint and removes the journal. When this returns, the checkpoint is on the disk. */
  write(name: StackName, checkpoint: Checkpoint): Promise<void>;
  /** When this returns, the entries are on the disk. */
  append(name: StackName, entries: readonly JournalEntry[]): Promise<void>;
  remove(name: StackName): Promise<void>;
}

/** @param folder an existing folder. */
export function stackFilesIn(folder: string): StackFiles {
  const checkpointOf = ({ organization, project, stack }: StackName) =>
    join(folder, organization, project, `${stack}.json`);
  const journalOf = (name: StackName) => checkpointOf(name).replace(/json$/, "journal");
  return {
    has: (name) => existsSync(checkpointOf(name)),
    list: async () =>
      (await readdir(folder, { recursive: true })).flatMap((path) => {
        const [organization, project, file] = path.split("/");
        return organization && project && file?.endsWith(".json")
          ? [{ organization, project, stack: file.slice(0, -".json".length) }]
          : [];
      }),
    read: async (name) => {
      const checkpoint = checkpointSchema.parse(JSON.parse(await readFile(checkpointOf(name), "utf8")));
      if (!existsSync(journalOf(name))) return checkpoint;
      const lines = (await readFile(journalOf(name), "utf8")).trimEnd().split("\n");
      const entries = lines.map((line) => journalEntrySchema.parse(JSON.parse(line)));
      return { ...checkpoint, deployment: replay(checkpoint.deployment, entries) };
    },
    write: async (name, checkpoint) => {
      const path = checkpointOf(name);
      await mkdir(dirname(path), { recursive: true });
      await writeSynced(`${path}.new`, "w", JSON.stringify(checkpoint));
      await rename(`${path}.new`, path);
      await rm(journalOf(name), { force: true });
    },
    append: (name, entries) =>
      writeSynced(journalOf(name), "a", entries.map((entry) => `${JSON.stringify(entry)}\n`).join("")),
    remove: async (name) => {
      await rm(checkpointOf(name));
      await rm(journalOf(name), { force: true });
    },
  };
}

async function writeSynced(path: string, flags: "a" | "w", text: string): Promise<void> {
  await using file = await open(path, flags);
  await file.writeFile(text);
  await file.sync();
}
