/** Lets the reader of standard output, such as `head`, close it early. The command then ends with its own exit code. */
export function allowClosedOutput(): void {
  process.stdout.on("error", (error) => {
    if (!("code" in error && error.code === "EPIPE")) throw error;
  });
}
