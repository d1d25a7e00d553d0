import { stripVTControlCharacters } from "node:util";

/**
 * The messages that a command of the engine shows under `Diagnostics:`, without the engine's own summary such as `update
 * failed`. The lines of a message after its first are joined to it.
 */
export function diagnosticsOf(printed: string): string[] {
  const messages: string[] = [];
  let isInside = false;
  for (const line of stripVTControlCharacters(printed).split("\n")) {
    if (/^\S/.test(line)) isInside = line.startsWith("Diagnostics:");
    else if (isInside && /^ {4}\S/.test(line)) messages.push(line.trim());
    else if (isInside && /^ {4}\s+\S/.test(line)) messages.push(`${messages.pop()}\n${line.trim()}`);
  }
  return messages.filter((message) => !/^error: (update|preview|destroy|refresh) failed$/.test(message));
}
