// The small files through which an installed package is loaded. Each checks the version of Node.js and then loads the
// built module. That module exists once, as an ES module: CommonJS programs `require()` it too, and get the same classes.
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** The files of an entry point, relative to the package. */
export interface EntryPoint {
  /** The built module. */
  readonly built: string;
  /** What `import` loads. */
  readonly module: string;
  readonly types: string;
  /** What `require()` loads. */
  readonly commonjs: string;
  readonly commonjsTypes: string;
}

/** The entry point whose source is this file; undefined for a file that is no TypeScript, which is exported as it is. */
export function entryPoint(source: string): EntryPoint | undefined {
  if (!source.startsWith("./src/") || !source.endsWith(".ts")) return undefined;
  const built = source.replace(/\.ts$/, ".js");
  const commonjs = built.replace("./src/", "./commonjs/");
  return {
    built,
    module: built.replace("./src/", "./entry-points/"),
    types: declarations(built),
    commonjs,
    commonjsTypes: declarations(commonjs),
  };
}

/** The entry points by the paths under which programs import them. */
export function entryPoints(exports: Readonly<Record<string, string>>): ReadonlyMap<string, EntryPoint> {
  return new Map(
    Object.entries(exports).flatMap(([path, source]) => {
      const entry = entryPoint(source);
      return entry ? [[path, entry] as const] : [];
    }),
  );
}

/** `typesVersions`: where TypeScript's older `moduleResolution: node`, which does not read `exports`, finds declarations. */
export function typesForNode10(entries: ReadonlyMap<string, EntryPoint>): Record<string, string[]> {
  const subpaths = [...entries].filter(([path]) => path !== ".");
  return Object.fromEntries(subpaths.map(([path, { commonjsTypes }]) => [path.replace("./", ""), [commonjsTypes]]));
}

/** The file that starts a command whose source is this file. */
export function bin(source: string): string {
  return source.replace("./src/", "./entry-points/").replace(/\.ts$/, ".cjs");
}

/** Writes the files of all entry points and commands, and the declarations for CommonJS, into a built package. */
export async function writeEntryPoints(
  { exports, bin: commands = {}, engines }: Sources,
  buildDirectory: string,
): Promise<void> {
  const check = "./entry-points/check-node.cjs";
  const write = async (file: string, text: (path: (to: string) => string) => string) => {
    await mkdir(dirname(join(buildDirectory, file)), { recursive: true });
    await writeFile(
      join(buildDirectory, file),
      text((to) => JSON.stringify(relativePath(file, to))),
    );
  };

  await write(check, () => `"use strict";\n${checkNode(engines.node, "pulumi-integration-platform")}`);
  for (const { module, commonjs, built } of entryPoints(exports).values()) {
    await write(module, (path) => `import ${path(check)};\nexport * from ${path(built)};\n`);
    await write(
      commonjs,
      (path) => `"use strict";\nrequire(${path(check)});\nmodule.exports = require(${path(built)});\n`,
    );
  }
  for (const source of Object.values(commands)) {
    await write(bin(source), (path) => startCommand(path(check), path(source.replace(/\.ts$/, ".js"))));
    await chmod(join(buildDirectory, bin(source)), 0o755);
  }
  await writeDeclarations(buildDirectory);
}

interface Sources {
  readonly exports: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>> | undefined;
  readonly engines: { readonly node: string };
}

/**
 * CommonJS without imports: every Node.js can read it, so that a Node.js that is too old fails here.
 *
 * @param engines the package's `engines.node`.
 * @param program who needs it.
 */
export function checkNode(engines: string, program: string): string {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines) ?? [];
  if (major === undefined) throw new Error(`engines.node is ${engines}; >=MAJOR.MINOR is expected.`);
  return `var found = process.versions.node.split(".").map(Number);
if (found[0] < ${major} || (found[0] === ${major} && found[1] < ${minor})) {
  var needed = "Node.js ${major}.${minor} or later";
  var error = new Error("${program} needs " + needed + "; this is " + process.version + ".");
  error.stack = "Error: " + error.message; // a stack trace would not help
  throw error;
}
`;
}

function startCommand(check: string, main: string): string {
  return `#!/usr/bin/env node
"use strict";
try {
  require(${check});
  import(${main});
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
`;
}

/** TypeScript takes a declaration file for CommonJS or for an ES module by the nearest package.json. */
async function writeDeclarations(buildDirectory: string): Promise<void> {
  const to = join(buildDirectory, "commonjs");
  await mkdir(to, { recursive: true });
  await writeFile(join(to, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
  const from = join(buildDirectory, "src");
  for (const file of await readdir(from, { recursive: true })) {
    if (!file.endsWith(".d.ts")) continue;
    // TypeScript before 5.0 does not find a declaration file by the name of its source.
    const text = (await readFile(join(from, file), "utf8")).replace(
      /((?:from|import)[ (]")(\.[^"]+)\.ts"/g,
      '$1$2.js"',
    );
    await writeFile(join(from, file), text);
    await mkdir(dirname(join(to, file)), { recursive: true });
    await writeFile(join(to, file), text);
  }
}

function declarations(file: string): string {
  return file.replace(/\.js$/, ".d.ts");
}

function relativePath(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}
