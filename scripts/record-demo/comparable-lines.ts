/**
 * The lines that a demo prints, without what differs from run to run: the emulator's port and the digest of its address, the ids
 * of tenants and syncs, times and durations, the width of columns, and the order in which the engine works on resources. So the lines of each step
 * are sorted.
 *
 * @param output of a demo. What npm prints before the first step does not count.
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
    .replace(/(\d{4}-\d\d-\d\d )?\d\d:\d\d( UTC)?/g, "<time>")
    .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, "<id>")
    .replace(/\b\d{4,}\b/g, "<id>")
    .replace(/\s+/g, " ")
    .trim();
}
