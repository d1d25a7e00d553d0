/**
 * The set-up of a `beforeAll` or `beforeEach`, and how it ends: what it opened with `open.use` is disposed of after the
 * tests, the last first, and at once if the set-up fails. A resource of one test alone is better opened in it, with
 * `await using`.
 *
 * @example
 * beforeAll(() =>
 *   endAfterTests(async (open) => {
 *     platform = open.use(await openPlatform());
 *   }),
 * );
 */
export async function endAfterTests(
  setUp: (open: AsyncDisposableStack) => Promise<unknown>,
): Promise<() => Promise<void>> {
  await using open = new AsyncDisposableStack();
  await setUp(open);
  const opened = open.move();
  return () => opened.disposeAsync();
}
