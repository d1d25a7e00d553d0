import { join } from "node:path";
import { builtProgram, type GoProgram, pinnedVersion } from "./built-program.ts";

const provider: GoProgram = {
  folder: join(import.meta.dirname, "provider-restapi"),
  module: "github.com/Mastercard/terraform-provider-restapi",
  program: "github.com/Mastercard/terraform-provider-restapi",
};

/** Returns the path of the restapi provider, in the version that `provider-restapi/go.mod` pins. Builds it if necessary. */
export function findRestapiProvider(): Promise<string> {
  return builtProgram(provider);
}

/** The version of the provider. */
export function restapiProviderVersion(): string {
  return pinnedVersion(provider);
}
