import { formatPath } from "../json/key-path.ts";
import type { ConfigNode } from "./config-node.ts";
import type { Problem } from "./problems.ts";

/** The tokens that are plaintext in the stack's file: everybody who reads the repository could send events. */
export function plaintextTokens(receiver: ConfigNode | undefined): Problem[] {
  const tokens = receiver?.part("tokens");
  if (tokens?.source !== "stack file" || !Array.isArray(tokens.value)) return [];
  return tokens.value.flatMap((_, index) => {
    const token = tokens.part(index);
    if (token === undefined || token.isSecret) return [];
    const command = `pulumi config set --secret --path "integration-platform:${formatPath(token.place.path)}"`;
    return [{ ...token.place, reason: `must be a secret: ${command}` }];
  });
}
