import { z } from "zod";

// What the engine's protocol wraps values in (https://github.com/pulumi/pulumi, sdk/proto/go/provider: secrets, outputs,
// assets and archives are objects with a signature under this key).
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

const wrappedSchema = z.looseObject({ [signatureKey]: z.string(), value: z.unknown() });

/** The values without their wrapping as secrets and outputs. Assets and archives stay as they are. */
export function unwrap(value: unknown): unknown {
  const { data: wrapped } = wrappedSchema.safeParse(value);
  const signature = wrapped?.[signatureKey];
  if (signature === secretSignature || signature === outputSignature) return unwrap(wrapped?.value);
  if (Array.isArray(value)) return value.map(unwrap);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrap(inner)]));
}
