// For --import: a process in which nothing of AWS can be loaded.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith("@pulumi/aws")) throw new Error(`${specifier} was to be loaded`);
    return next(specifier, context);
  },
});
