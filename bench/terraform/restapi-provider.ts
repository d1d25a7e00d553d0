import { join } from "node:path";
import { builtProgram, type GoProgram, pinnedVersion } from "./built-program.ts";

const provider: GoProgram = {
  folder: join(import.meta.dirname, "provider-restapi"),
  module: "github.com/Mastercard/terraform-provider-restapi",
  program: "github.com/Mastercard/terraform-provider-restapi",
};

/** The provider that makes resources of any REST API, as `provider-restapi/go.mod` pins it. Answers its path. */
export function findRestapiProvider(): Promise<string> {
  return builtProgram(provider);
}

/** The version of the provider that is built. */
export function restapiProviderVersion(): string {
  return pinnedVersion(provider);
}
