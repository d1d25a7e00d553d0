import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

/** A file to which several processes append lines. All of them read all lines in the same order. */
export interface SharedLog extends Disposable {
  /**
   * Appends lines.
   *
   * @param lines without line breaks. None only reads.
   * @returns all lines since the last call, with the given ones. If no other process has added any, the given array itself.
   */
  exchange(lines: readonly string[]): readonly string[];
}

const lineBreak = 0x0a;

/** Opens the file, and creates it if it does not exist. Only the user can read it. */
export function openSharedLog(path: string): SharedLog {
  const file = openSync(path, "a+", 0o600);
  let readTo = 0;

  const append = (lines: readonly string[]) => {
    // a killed process may have left half a line: the first line break ends it
    const bytes = Buffer.from(`\n${lines.join("\n")}\n`);
    // after a part was written, another process may have appended: write all of it again, as events may come twice
    while (writeSync(file, bytes) < bytes.length);
    return bytes.length;
  };

  /** The complete lines that begin at `readTo`. A line without a line break may still be being written. */
  const readLines = (size: number) => {
    const bytes = Buffer.alloc(Math.max(0, size - readTo));
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(file, bytes, length, bytes.length - length, readTo + length);
      if (count === 0) break;
      length += count;
    }
    const end = bytes.subarray(0, length).lastIndexOf(lineBreak) + 1;
    readTo += end;
    return bytes.toString("utf8", 0, end).split("\n");
  };

  return {
    exchange: (lines) => {
      const written = lines.length > 0 ? append(lines) : 0;
      const { size } = fstatSync(file);
      if (size !== readTo + written) return readLines(size);
      readTo = size;
      return lines;
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}
