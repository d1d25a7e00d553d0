import * as z from "zod";
import { builtinSchemes } from "./builtin.ts";

const message = "must be an object of modules by scheme, such as { op: ./resolvers/op.mjs }";

/** The user's own resolvers: paths of modules by scheme, relative to the folder of Pulumi.yaml. */
export const resolversSchema = z
  .record(z.string(), z.string("must be the path of a module, such as ./resolvers/op.mjs"), message)
  .check(({ value, issues }) => {
    for (const scheme of Object.keys(value)) {
      const reason = schemeNameProblem(scheme);
      if (reason !== undefined) issues.push({ code: "custom", path: [scheme], message: reason, input: value[scheme] });
    }
  });

function schemeNameProblem(scheme: string): string | undefined {
  if (Object.hasOwn(builtinSchemes, scheme)) return "is a scheme of a built-in resolver. Choose another one";
  return /^[a-z][a-z\d+.-]*$/.test(scheme)
    ? undefined
    : "must be lowercase letters, digits, +, - and ., and begin with a letter";
}
