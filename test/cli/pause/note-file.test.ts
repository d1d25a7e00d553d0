import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { PauseNote } from "../../../src/cli/pause-note/note.ts";
import { readNote, writeNote } from "../../../src/cli/pause-note/note-file.ts";

const platform = "https://api.example.com";
const note: PauseNote = {
  version: 1,
  platform,
  reason: "INC-42",
  until: "2099-11-24T06:00:00Z",
  at: "2026-11-24T06:00:00Z",
  unverified: [1],
  wholeIntegrations: [],
  tenants: [{ id: 1, name: "acme", integration: "billing", integrationId: 101, wasPaused: false }],
  overrides: [],
};

test("writeNote does not write a note that readNote would refuse", async () => {
  const folder = await mkdtemp(join(tmpdir(), "note-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "note.json");
  await expect(writeNote(path, { ...note, until: "2099-11-31T06:00:00Z" })).rejects.toThrow("cannot write the note");
  expect(await readdir(folder)).toEqual([]);
  await writeNote(path, note);
  expect(await readNote(path, platform)).toEqual(note);
});
