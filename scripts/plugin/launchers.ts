import { checkNode } from "../entry-points.ts";

const executable = "pulumi-resource-integration-platform";

/**
 * The files that start the plugin, by name. The engine runs the first one, on Windows the second: `.cmd` is among the
 * extensions that it tries there. `main.cjs` is CommonJS without imports, which every Node.js can read, so that a version that
 * is too old says so in one sentence.
 *
 * @param engines the package's `engines.node`.
 */
export function launchers(engines: string): Record<string, string> {
  return {
    [executable]: posixLauncher,
    [`${executable}.cmd`]: windowsLauncher.replaceAll("\n", "\r\n"),
    "main.cjs": startPlugin(engines),
  };
}

const noNode = `${executable} needs Node.js, and there is no node on PATH.`;

/** Node.js replaces the shell, so that the engine's signals reach the plugin, and its process id is the plugin's. */
const posixLauncher = `#!/bin/sh
file=$0
while [ -L "$file" ]; do
  target=$(readlink "$file")
  case $target in
    /*) file=$target ;;
    *) file=\${file%/*}/$target ;;
  esac
done
if ! command -v node >/dev/null; then
  echo "${noNode}" >&2
  exit 1
fi
exec node --max-semi-space-size=4 "\${file%/*}/main.cjs" "$@"
`;

const windowsLauncher = `@echo off
where /q node
if errorlevel 1 (
  echo ${noNode} 1>&2
  exit /b 1
)
node --max-semi-space-size=4 "%~dp0main.cjs" %*
`;

/** What Node.js has compiled is kept beside the plugin: a folder that all users of a machine share could be prepared by another. */
function startPlugin(engines: string): string {
  return `"use strict";
try {
  ${checkNode(engines, executable).replaceAll("\n", "\n  ").trim()}
  require("module").enableCompileCache(require("path").join(__dirname, "compiled"));
  import("./plugin.mjs");
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
`;
}
