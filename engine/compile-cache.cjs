// For `node --require`: keeps what Node.js has compiled of this project's scripts, so that they start in half the time. Only
// in this process: the programs that it starts have a cache of their own, because they run with other flags of V8, and each
// would discard what the other keeps. CommonJS, because it has to run before a script's imports are loaded.
const { enableCompileCache } = require("node:module");
const { join } = require("node:path");

// a cache that the user has chosen is in use already
if (process.env.NODE_COMPILE_CACHE === undefined) {
  enableCompileCache(join(__dirname, "../node_modules/.cache/compiled-scripts"));
}
