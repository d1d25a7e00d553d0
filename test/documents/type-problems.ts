import { join } from "node:path";
import ts from "typescript";
import { type CodeBlock, repository } from "./documents.ts";

/**
 * What the compiler finds in blocks of TypeScript, each a module that imports the package as its users do, by its name. Each
 * problem begins with its place: `docs/concepts.md:12: `. The options are those of the project, but a block may declare what it
 * does not use.
 */
export function typeProblems(blocks: readonly CodeBlock[]): string[] {
  const { config } = ts.readConfigFile(join(repository, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, repository);
  const modules = new Map(blocks.map((block, index) => [join(repository, `block-${index}.ts`), block]));

  const relaxed = { ...options, noUnusedLocals: false, noUnusedParameters: false };
  const host = ts.createCompilerHost(relaxed);
  const { readFile, fileExists } = host;
  host.readFile = (path) => modules.get(path)?.text ?? readFile(path);
  host.fileExists = (path) => modules.has(path) || fileExists(path);
  const program = ts.createProgram([...modules.keys()], relaxed, host);

  return [...modules].flatMap(([path, { document, line }]) => {
    const source = program.getSourceFile(path);
    if (source === undefined) throw new Error(`The compiler did not read the block at ${document}:${line}.`);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ start = 0, messageText }) => {
      const place = source.getLineAndCharacterOfPosition(start);
      return `${document}:${line + place.line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
  });
}
