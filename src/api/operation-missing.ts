import { OperationMissingError } from "./errors.ts";
import { type ErrorFactory, errorFacts, errorMessage } from "./failed-attempt.ts";

/**
 * For operations that not every platform has. Its router answers 405, or a 404 whose `detail` is a string; a 404 about a record has
 * the API's own shape, a `message` (specification, "Error shapes").
 *
 * @param impossible what cannot be done without the operation, after "it is impossible to".
 */
export function operationMissing(impossible: string): ErrorFactory {
  return (failed) => {
    const { status, body } = failed;
    const isOfRouter = status === 404 && !body.isApiShape && body.detail !== undefined;
    if (status !== 405 && !isOfRouter) return undefined;
    const next = `So it is impossible to ${impossible} here. If the platform should have it, ask its operators.`;
    const message = errorMessage(failed, "this account's platform has no such operation", body.message, next);
    return new OperationMissingError(message, errorFacts(failed));
  };
}
