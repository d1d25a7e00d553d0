import { join } from "node:path";
import { type GoProgram, pinnedVersion } from "../../engine/go-program.ts";
import { builtForBenchmark } from "./built-for-benchmark.ts";

const provider: GoProgram = {
  folder: join(import.meta.dirname, "provider-restapi"),
  module: "github.com/Mastercard/terraform-provider-restapi",
  program: "github.com/Mastercard/terraform-provider-restapi",
};

/** Returns the path of the restapi provider, in the version that `provider-restapi/go.mod` pins. Builds it if necessary. */
export function findRestapiProvider(): Promise<string> {
  return builtForBenchmark(provider);
}

/** The version of the provider. */
export function restapiProviderVersion(): string {
  return pinnedVersion(provider);
}
