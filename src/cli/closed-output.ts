const closing = new AbortController();

/** Aborted once standard output has no reader any more. Commands that would otherwise go on without an end then end. */
export const closedOutput: AbortSignal = closing.signal;

/** Lets the reader of standard output, such as `head`, close it early. The command then ends with its own exit code. */
export function allowClosedOutput(): void {
  process.stdout.on("error", (error) => {
    if (!("code" in error && error.code === "EPIPE")) throw error;
    closing.abort();
  });
}
