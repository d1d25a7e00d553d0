// Makes the language host that is built from source (engine/language-nodejs) heed `typescript: false` in Pulumi.yaml.
//
// That host is older than the way in which the engine passes the option on. It always asks the SDK for ts-node, which then
// loads and sets up the TypeScript compiler, although Node.js runs the program's TypeScript itself. The official host asks
// for it only if the option is not false. CommonJS, because it has to run before the SDK.
const { readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

const asksForTsNode = "PULUMI_NODEJS_TYPESCRIPT";

if (process.env[asksForTsNode] !== undefined && /\btypescript:\s*false\b/.test(projectFile(process.cwd()))) {
  delete process.env[asksForTsNode];
}

/** The text of the nearest Pulumi.yaml in the folder or above it; "" if there is none. */
function projectFile(folder) {
  try {
    return readFileSync(join(folder, "Pulumi.yaml"), "utf8");
  } catch {
    return dirname(folder) === folder ? "" : projectFile(dirname(folder));
  }
}
