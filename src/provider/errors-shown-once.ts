/** Marks the errors that the engine shows at their resource. The host prints the stack of an error, which is this text. */
const shownByEngine = "(shown by the engine)";

const print = console.error;

/**
 * The host prints every error of check, diff, read and delete to standard error, and also returns it to the engine. The
 * user would see each error twice, so this process does not print the errors that {@link asShownByEngine} has marked.
 */
console.error = (...parts: unknown[]) => {
  const isShown = parts.length === 1 && typeof parts[0] === "string" && parts[0].endsWith(shownByEngine);
  if (!isShown) print(...parts);
};

/** An error with this message, which only the engine shows. It has no call stack, because users do not need one. */
export function asShownByEngine(message: string): Error {
  const error = new Error(message);
  error.stack = shownByEngine;
  return error;
}
