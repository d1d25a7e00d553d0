import { invalid } from "./problems.ts";

/**
 * A path parameter that the specification declares as integer.
 *
 * @throws InvalidRequest when it is none.
 */
export function integerParameter(name: string, text: string): number {
  const value = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw invalid(["path", name], "Input should be a valid integer, unable to parse string as an integer", text);
}
