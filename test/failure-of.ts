/** The error that a promise rejects with. Throws where the promise resolves. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error("the promise was expected to reject, and it resolved");
    },
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
}
