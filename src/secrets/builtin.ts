import { didYouMean } from "../inputs/did-you-mean.ts";
import { orEscape, partsOfRef, type SecretReference } from "./reference.ts";

/** The schemes that need no setting, each with a reference as an example. */
export const builtinSchemes: Readonly<Record<string, string>> = {
  env: "env:ACME_TOKEN",
  file: "file:secrets/acme-token",
  "aws-secretsmanager": "aws-secretsmanager:acme/crm#api_token",
  vault: "vault:secret/acme#api_token",
};

/**
 * Why no resolver can resolve a reference, as far as it can be known without asking one.
 *
 * @param own the schemes of the user's own resolvers.
 */
export function schemeProblem(reference: SecretReference, own: readonly string[]): string | undefined {
  const { scheme } = partsOfRef(reference);
  const schemes = [...new Set([...Object.keys(builtinSchemes), ...own])];
  if (!schemes.includes(scheme)) {
    return orEscape(`refers to a secret by an unknown scheme${didYouMean(scheme, schemes)}`);
  }
  return builtinProblem(reference);
}

function builtinProblem(reference: SecretReference): string | undefined {
  const { scheme, rest } = partsOfRef(reference);
  const example = Object.hasOwn(builtinSchemes, scheme) ? builtinSchemes[scheme] : undefined;
  if (example === undefined) return undefined;
  if (scheme === "env" && /[=\s]/.test(rest))
    return `is not the name of an environment variable. Write it like ${example}`;
  if (scheme === "vault" && !/^[^/#]+(\/[^/#]+)+#.+$/.test(rest)) return `must be like ${example}`;
  if (scheme === "vault" && !/^[1-9]\d*$/.test(String(reference.version ?? 1))) {
    return "must have a whole number from 1 as its version, as Vault has them";
  }
  return undefined;
}
