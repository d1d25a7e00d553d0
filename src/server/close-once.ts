/** A function that closes at its first call. All calls get the promise of the first one. */
export function closeOnce(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= close();
    return closed;
  };
}
