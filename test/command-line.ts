/** Runs the main function of a program. An error ends the program with code 1 and the error's message. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    if (error instanceof Error && error.cause !== undefined) console.error(error.cause);
    process.exitCode = 1;
  });
}

/** The number that was given for an option. Throws if it is not a whole number. */
export function wholeNumber(option: string, given: string): number {
  if (/^\d{1,10}$/.test(given)) return Number(given);
  throw new Error(`${option} must be a whole number, not "${given}"`);
}

/** A seed that was given with `--seed`, or a new one. */
export function seedFrom(given: string | undefined): number {
  return wholeNumber("--seed", given ?? String(Date.now() % 2 ** 31));
}
