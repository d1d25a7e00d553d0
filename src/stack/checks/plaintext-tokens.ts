import type { ConfigNode } from "../config/config-node.ts";
import { namespace } from "../config/config-values.ts";
import type { Problem } from "../config/problems.ts";
import { setSecretCommand } from "../config/set-secret-command.ts";

/** The tokens that are plaintext in the stack's file: everybody who reads the repository could send events. */
export function plaintextTokens(receiver: ConfigNode | undefined): Problem[] {
  const tokens = receiver?.part("tokens");
  if (tokens?.source !== "stack file" || !Array.isArray(tokens.value)) return [];
  return tokens.value.flatMap((_, index) => {
    const token = tokens.part(index);
    if (token === undefined || token.isSecret) return [];
    const [key, ...rest] = token.place.path;
    const command = setSecretCommand([`${namespace}:${String(key)}`, ...rest]);
    return [{ ...token.place, reason: `is in clear, and must be a secret. Run \`${command}\`` }];
  });
}
