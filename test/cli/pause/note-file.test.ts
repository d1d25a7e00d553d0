import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { PauseNote } from "../../../src/cli/pause-note/note.ts";
import { otherNotes, readNote, writeNote } from "../../../src/cli/pause-note/note-file.ts";

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
  selections: [],
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

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "note-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

test.each([
  ["cut off", "other.json", JSON.stringify({ ...note, reason: "INC-43" }, null, 2).slice(0, 200)],
  ["empty, with a name of notes", "crm-pause.json", ""],
  ["of another version", "incident-43", JSON.stringify({ ...note, version: 2, reason: "INC-43" })],
])("a note of another incident that is %s is an error that names its file", async (_, name, text) => {
  const folder = await folderWith({ [name]: text });
  await expect(otherNotes(join(folder, "note.json"), note)).rejects.toThrow(
    `${join(folder, name)} seems to be the note of another incident`,
  );
});

test("a note of another incident that is not UTF-8, or a link to nowhere, is an error that names its file", async () => {
  const folder = await folderWith({});
  const path = join(folder, "INC-43.json");
  const text = JSON.stringify({ ...note, reason: "INC-43" }, null, 2);
  await writeFile(path, Buffer.concat([Buffer.from(text), Buffer.from([0xff])]));
  await expect(otherNotes(join(folder, "note.json"), note)).rejects.toThrow(`${path} seems to be the note`);
  await writeFile(path, Buffer.from(text, "utf16le"));
  await expect(otherNotes(join(folder, "note.json"), note)).rejects.toThrow(`${path} seems to be the note`);
  await rm(path);
  await symlink("nowhere.json", path);
  await expect(otherNotes(join(folder, "note.json"), note)).rejects.toThrow(
    `cannot read ${path}, which may be the note`,
  );
  await expect(readNote(path, platform)).rejects.toThrow(`cannot read the note ${path}`);
});

test("files of other kinds are no notes", async () => {
  const folder = await folderWith({
    "tsconfig.json": '{ // a comment\n "compilerOptions": {} }',
    "package.json": '{ "name": "x", "version": "1.0.0" }',
    "empty.json": "",
    "other.json": JSON.stringify({ ...note, reason: "INC-43" }),
    "crm-pause.json.done-20261124T060000Z": "{",
  });
  await symlink("nobody@nowhere.1", join(folder, ".#note.json"));
  await mkdir(join(folder, "folder.json"));
  const found = await otherNotes(join(folder, "note.json"), note);
  expect(found.map(({ path }) => path)).toEqual([join(folder, "other.json")]);
});

test("a note that another command writes at the same time is there, or not there yet", async () => {
  const folder = await folderWith({});
  const path = join(folder, "note.json");
  for (let round = 0; round < 25; round += 1) {
    await rm(path, { force: true });
    const reads = Array.from({ length: 8 }, () => readNote(path, platform));
    const [, ...found] = await Promise.all([writeNote(path, note), ...reads]);
    for (const one of found) expect([undefined, note]).toContainEqual(one);
  }
});
