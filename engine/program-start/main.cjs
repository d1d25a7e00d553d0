// Loaded before everything else (`NODE_OPTIONS=--require`) by each Node.js process of a Pulumi command, so that programs and
// providers start sooner.
require("node:v8").setFlagsFromString("--allow-natives-syntax"); // as Pulumi's SDK does: see engine-environment.ts
require("./typescript-option.cjs");
require("./load-when-used.cjs");
