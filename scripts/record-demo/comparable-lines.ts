/**
 * The lines that the demo prints, without what differs from run to run: the emulator's port and the digest of its address, the ids
 * of tenants, durations, the width of columns, and the order in which the engine works on resources. So the lines of each step
 * are sorted.
 *
 * @param output of `npm run demo`. What npm prints before the first step does not count.
 */
export function comparableLines(output: string): string[] {
  const steps = output.split(/^(?=\d+\. )/m).slice(1);
  return steps.flatMap((step) => {
    const lines = step.split("\n").map(comparable);
    return lines.filter((line) => line !== "").toSorted();
  });
}

function comparable(line: string): string {
  return line
    .replace(/http:\/\/127\.0\.0\.1:\d+/, "http://127.0.0.1")
    .replace(/ \((\d+m)?\d+(\.\d+)?m?s\)/g, "")
    .replace(/\b\d{4,}\b/g, "<id>")
    .replace(/\b(platform *: )"[\w-]{8}"/, '$1"<digest of the address>"')
    .replace(/\s+/g, " ")
    .trim();
}
