import { isUtf8 } from "node:buffer";

/** The text of a file, or why its bytes are none, and where: line and column count from 1. */
export type DecodedText = { text: string } | { problem: string; line: number; column: number };

/**
 * Decodes the bytes of a file. Bytes that are not UTF-8 are never read as U+FFFD, which would be sent and written like any
 * other character. A byte order mark stays. The problem follows the file's name in a message, and does not quote the text.
 */
export function decodeUtf8(bytes: Uint8Array): DecodedText {
  if (hasMarkOfUtf16(bytes)) return { problem: `is UTF-16: ${whatToDo}`, line: 1, column: 1 };
  const damaged = firstDamaged(bytes);
  return damaged ?? { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) };
}

const whatToDo = "save the file as UTF-8";

function hasMarkOfUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function firstDamaged(bytes: Uint8Array): Exclude<DecodedText, { text: string }> | undefined {
  if (isUtf8(bytes) && !bytes.includes(0)) return undefined;
  let [line, start] = [1, 0];
  // no character of UTF-8 but the line feed has its byte
  while (start < bytes.length) {
    const lineFeed = bytes.indexOf(0x0a, start);
    const part = bytes.subarray(start, lineFeed < 0 ? bytes.length : lineFeed);
    if (!isUtf8(part)) return { problem: `is not UTF-8: ${whatToDo}`, line, column: validLength(part) + 1 };
    const nul = part.indexOf(0);
    const problem = `has a character NUL, as a file in UTF-16 has: ${whatToDo}`;
    if (nul >= 0) return { problem, line, column: nul + 1 };
    line += 1;
    start += part.length + 1;
  }
  return undefined;
}

/** How many characters come before the first byte that is not UTF-8. */
function validLength(bytes: Uint8Array): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let length = 0;
  try {
    for (const byte of bytes) length += decoder.decode(Uint8Array.of(byte), { stream: true }).length;
  } catch {
    // the byte that cannot follow
  }
  return length;
}
