import { formatPath } from "../../json/key-path.ts";
import { isSecretValue } from "../../settings/secret-detection.ts";
import { keysEntries } from "../../settings/table.ts";
import type { Problem } from "../config/problems.ts";
import type { CheckedConfig } from "./check-config.ts";
import { howToEncrypt, plaintextLeaves } from "./plaintext-secrets.ts";

/**
 * The plaintext values that have the form of a secret, such as a private key or a token of a well-known service, and a
 * plaintext API key. Only a release's schema says what a secret is, so these are hints.
 */
export function secretForms({ config, settings, declarations }: CheckedConfig): Problem[] {
  const allowed = [settings.allowPlaintextSecrets ?? []].flat();
  const tenants = [...declarations.standalone, ...declarations.fleets.flatMap((fleet) => fleet.tenants)];
  const leaves = tenants.flatMap(({ node }) =>
    keysEntries.flatMap(([setting]) => plaintextLeaves(node.part(setting), [setting])),
  );
  const inTenants = leaves
    .filter(({ path, node: { value } }) => {
      const isAllowed = allowed.some((name) => formatPath(path) === name || formatPath(path).startsWith(`${name}.`));
      return typeof value === "string" && isSecretValue(value) && !isAllowed;
    })
    .map(({ path, node }) => ({
      ...node.place,
      reason: `is plaintext and looks like a secret. ${howToEncrypt(path, node)}`,
    }));
  const apiKey = config.part("apiKey");
  if (apiKey === undefined || apiKey.isSecret || allowed.includes("apiKey")) return inTenants;
  const reason = "is plaintext. Encrypt it with `pulumi config set --secret integration-platform:apiKey`";
  return [{ ...apiKey.place, reason }, ...inTenants];
}
