import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { plainText } from "../provider-schema/documentation.ts";

const repository = dirname(dirname(import.meta.dirname));

/** An exported class, interface, function or constant, with its docstring. */
export interface Declaration {
  /** The docstring as Markdown. */
  readonly description: string;
  /** The code of its `@example`. */
  readonly example: string | undefined;
  /** The class that a class extends. */
  readonly base: string | undefined;
  /** The properties that the declaration itself has. */
  readonly members: readonly Member[];
}

export interface Member {
  readonly name: string;
  readonly description: string;
  /** The type as it is written; the value of a property of a constant object. */
  readonly type: string;
}

/**
 * The exported declarations of a source file, by name. It reads the syntax alone, which takes milliseconds.
 *
 * @param file from the root of the repository.
 */
export function readDeclarations(file: string): ReadonlyMap<string, Declaration> {
  return new Map(parse(file).statements.filter(isExported).flatMap(declarationsOf));
}

/** The docstring at the start of a source file, which describes the module. */
export function moduleDescription(file: string): string {
  const [statement] = parse(file).statements;
  const [docstring] = statement === undefined ? [] : ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
  return markdownOf(docstring);
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(join(repository, file), "utf8"), ts.ScriptTarget.Latest, true);
}

function isExported(statement: ts.Statement): boolean {
  return hasModifier(statement, ts.SyntaxKind.ExportKeyword);
}

function hasModifier(node: ts.Node, modifier: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === modifier) === true;
}

function declarationsOf(statement: ts.Statement): [string, Declaration][] {
  const docstring = docstringOf(statement);
  const example = docstring?.tags?.find(({ tagName }) => tagName.text === "example");
  const declared = (name: string, members: readonly Member[] = [], base?: string): [string, Declaration] => [
    name,
    { description: markdownOf(docstring), example: example && textOf(example), base, members },
  ];
  if (ts.isClassDeclaration(statement)) {
    return [declared(statement.name?.text ?? "", membersOf(statement.members), baseOf(statement))];
  }
  if (ts.isInterfaceDeclaration(statement)) return [declared(statement.name.text, membersOf(statement.members))];
  if (ts.isFunctionDeclaration(statement)) return [declared(statement.name?.text ?? "")];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.map(({ name, initializer }) =>
    declared(name.getText(), valuesOf(initializer)),
  );
}

function baseOf({ heritageClauses }: ts.ClassDeclaration): string | undefined {
  return heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0]?.expression.getText();
}

/** The properties of a class or an interface, without those that only narrow a property of the base. */
function membersOf(members: readonly (ts.ClassElement | ts.TypeElement)[]): Member[] {
  return members.flatMap((member) => {
    if (!ts.isPropertyDeclaration(member) && !ts.isPropertySignature(member)) return [];
    if (hasModifier(member, ts.SyntaxKind.OverrideKeyword)) return [];
    const type = member.type?.getText() ?? "";
    return [{ name: member.name.getText(), description: markdownOf(docstringOf(member)), type }];
  });
}

/** The properties of a constant object, with or without `as const`. */
function valuesOf(initializer: ts.Expression | undefined): Member[] {
  const value = initializer !== undefined && ts.isAsExpression(initializer) ? initializer.expression : initializer;
  if (value === undefined || !ts.isObjectLiteralExpression(value)) return [];
  return value.properties.flatMap((property) =>
    ts.isPropertyAssignment(property)
      ? [{ name: property.name.getText(), description: "", type: property.initializer.getText() }]
      : [],
  );
}

function docstringOf(node: ts.Node): ts.JSDoc | undefined {
  return ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
}

function textOf({ comment }: ts.JSDoc | ts.JSDocTag): string {
  return ts.getTextOfJSDocComment(comment) ?? "";
}

/** A docstring as Markdown, as the provider's schema has it: a line for each paragraph and list item, and no links. */
function markdownOf(docstring: ts.JSDoc | undefined): string {
  return docstring === undefined ? "" : plainText(textOf(docstring));
}
