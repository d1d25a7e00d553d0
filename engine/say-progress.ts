/** Where a long step of the set-up is. Disposing ends the line. */
export interface Progress extends Disposable {
  /** @param done how far the step is: `812 packages compiled`. */
  update(done: string): void;
}

/** The stream, as far as it is used here. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Shows on standard error how far a long step is, and for how long it has run: on a terminal in one line that is rewritten each
 * second, else in a new line every half minute.
 *
 * @param step `1 of 2: pulumi`.
 */
export function sayProgress(step: string, stream: ProgressStream = process.stderr): Progress {
  const isTerminal = stream.isTTY === true;
  const startedAt = performance.now();
  let done = "";
  const show = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const text = `  ${[step, done, `${seconds} s`].filter((part) => part !== "").join(", ")}`;
    stream.write(isTerminal ? `\r\u001B[K${text}` : `${text}\n`);
  };
  show();
  const timer = setInterval(show, isTerminal ? 1000 : 30_000);
  timer.unref();
  return {
    update: (text) => {
      done = text;
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      show();
      if (isTerminal) stream.write("\n");
    },
  };
}
