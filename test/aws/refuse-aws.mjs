// For `node --import`: makes every import of @pulumi/aws fail.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith("@pulumi/aws")) throw new Error(`${specifier} must not be loaded`);
    return next(specifier, context);
  },
});
