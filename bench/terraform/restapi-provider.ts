import { join } from "node:path";
import { builtProgram } from "./built-program.ts";

/** The provider that makes resources of any REST API, as `provider-restapi/go.mod` pins it. Answers its path. */
export function findRestapiProvider(): Promise<string> {
  return builtProgram({
    folder: join(import.meta.dirname, "provider-restapi"),
    module: "github.com/Mastercard/terraform-provider-restapi",
    program: "github.com/Mastercard/terraform-provider-restapi",
  });
}
