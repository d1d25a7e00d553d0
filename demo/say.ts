/** Prints a sentence; a headline, which begins with a number, after an empty line. */
export function say(text: string) {
  console.log(/^\d/.test(text) ? `\n${text}` : text);
}

/** Prints the lines of a command's output that match, indented. */
export function show(output: string, lines = /./) {
  const shown = output.split("\n").filter((line) => lines.test(line));
  console.log(shown.map((line) => `     | ${line}`).join("\n"));
}
