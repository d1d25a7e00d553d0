import { dirname, join } from "node:path";
import ts from "typescript";

const repository = dirname(dirname(import.meta.dirname));

/** The docstrings and types of exported declarations, read with the TypeScript compiler. */
export interface Documentation {
  /** The type of an exported interface, type alias or class, with its docstring. */
  typeOf(name: string): DocumentedType;
  /** An exported function, with its docstring. */
  functionOf(name: string): DocumentedFunction;
}

export interface DocumentedType {
  readonly description: string;
  readonly properties: ReadonlyMap<string, DocumentedProperty>;
}

export interface DocumentedProperty {
  readonly description: string;
  readonly isOptional: boolean;
  readonly type: ts.Type;
  /** The type as it is written, for example `Output<string | undefined>`. */
  readonly typeText: string;
}

export interface DocumentedFunction {
  readonly description: string;
  /** Absent for a function without arguments. */
  readonly arguments: DocumentedType | undefined;
  /** The properties of the object that its promise resolves to. */
  readonly result: DocumentedType;
}

/**
 * Reads the documentation of files of this repository.
 *
 * @param files from the root of the repository.
 */
export function readDocumentation(files: readonly string[]): { documentation: Documentation; checker: ts.TypeChecker } {
  const configFile = join(repository, "tsconfig.json");
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, repository);
  const program = ts.createProgram(
    files.map((file) => join(repository, file)),
    options,
  );
  const checker = program.getTypeChecker();
  const exported = new Map(
    files.flatMap((file) => {
      const source = program.getSourceFile(join(repository, file));
      const symbol = source && checker.getSymbolAtLocation(source);
      if (symbol === undefined) throw new Error(`${file} exports nothing.`);
      return checker.getExportsOfModule(symbol).map((one) => [one.name, resolved(checker, one)] as const);
    }),
  );
  const symbolOf = (name: string) => {
    const symbol = exported.get(name);
    if (symbol === undefined) throw new Error(`No file exports ${name}.`);
    return symbol;
  };
  const documented = (type: ts.Type, description: string): DocumentedType => ({
    description,
    properties: propertiesOf(type, checker),
  });
  return {
    checker,
    documentation: {
      typeOf: (name) => documented(checker.getDeclaredTypeOfSymbol(symbolOf(name)), textOf(symbolOf(name), checker)),
      functionOf: (name) => {
        const symbol = symbolOf(name);
        const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
        const result = signature && checker.getAwaitedType(signature.getReturnType());
        if (signature === undefined || result === undefined) throw new Error(`${name} is no function.`);
        const [argument] = signature.getParameters();
        const argumentType = argument && checker.getTypeOfSymbol(argument);
        return {
          description: textOf(symbol, checker),
          arguments: argumentType && documented(argumentType, ""),
          result: documented(result, ""),
        };
      },
    },
  };
}

/** The properties of an object type with their docstrings. */
export function propertiesOf(type: ts.Type, checker: ts.TypeChecker): Map<string, DocumentedProperty> {
  const properties = checker.getPropertiesOfType(type).map((property) => {
    const propertyType = checker.getTypeOfSymbol(property);
    const documented: DocumentedProperty = {
      description: textOf(property, checker),
      isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
      type: propertyType,
      typeText: checker.typeToString(propertyType, undefined, ts.TypeFormatFlags.NoTruncation),
    };
    return [property.name, documented] as const;
  });
  return new Map(properties);
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function textOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  return plainText(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
}

/** A docstring as Markdown: a line for each paragraph and list item, and names in place of links. */
export function plainText(docstring: string): string {
  return docstring
    .replace(/\{@link (\w+?)(Args)?(?:\.(\w+))?\s*\}/g, (_, name, __, property) =>
      property === undefined ? `\`${name}\`` : `\`${property}\` of \`${name}\``,
    )
    .replace(/([^\n])\n(?![\n-])/g, "$1 ")
    .trim();
}
