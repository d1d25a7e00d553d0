import type { ConfigNode } from "../config/config-node.ts";
import type { Problem } from "../config/problems.ts";
import { howToMakeSecret } from "../config/set-secret-command.ts";

/**
 * The tokens and the API key of a receiver that are plaintext in the stack's file or in Pulumi.yaml: everybody who reads the
 * repository could send events, or read the platform's tenants.
 */
export function receiverSecrets(receiver: ConfigNode | undefined): Problem[] {
  const tokens = receiver?.part("tokens");
  const tokenNodes = Array.isArray(tokens?.value) ? tokens.value.map((_, index) => tokens.part(index)) : [];
  return [...tokenNodes, receiver?.part("platform")?.part("apiKey")].flatMap((secret) => {
    const isInFile = secret?.source === "stack file" || secret?.source === "project file";
    if (!isInFile || secret.isSecret) return [];
    return [{ ...secret.place, reason: `is in clear, and must be a secret. ${howToMakeSecret(secret)}` }];
  });
}
