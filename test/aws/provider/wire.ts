import { z } from "zod";

// The engine's protocol wraps secrets, outputs, assets and archives in objects with a signature under this key
// (https://github.com/pulumi/pulumi, sdk/proto/go/provider).
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

const wrappedSchema = z.looseObject({ [signatureKey]: z.string(), value: z.unknown() });

/** Removes the wrapping of secrets and outputs at every depth. Leaves assets and archives as they are. */
export function unwrap(value: unknown): unknown {
  const { data: wrapped } = wrappedSchema.safeParse(value);
  const signature = wrapped?.[signatureKey];
  if (signature === secretSignature || signature === outputSignature) return unwrap(wrapped?.value);
  if (Array.isArray(value)) return value.map(unwrap);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrap(inner)]));
}
