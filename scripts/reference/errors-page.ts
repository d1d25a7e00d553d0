import { type Declaration, readDeclarations } from "./docstrings.ts";
import { code, codeBlock, page, prose, section, table } from "./markdown.ts";

const errors = readDeclarations("src/api/errors.ts");

/** The reference of the API client's error classes, from their docstrings. */
export function errorsPage(): string {
  const classes = [...errors].filter(([, { base }]) => base !== undefined);
  const overview = classes.map(([name, { base = "", description }]) => [code(name), code(base), prose(description)]);
  return page(
    "Errors",
    "`createClient` and the client that it makes throw these classes. [Commands](commands.md) has the exit codes of the commands.",
    codeBlock("ts", 'import { ApiError, NotFoundError } from "pulumi-integration-platform/api";'),
    table(["Class", "Extends", "Meaning"], overview),
    section(2, "Fields", "A class also has the fields of the class that it extends.", fieldTable(withFields(classes))),
  );
}

/** The classes that add fields, and the types of the module that these fields have. */
function withFields(classes: readonly [string, Declaration][]): [string, Declaration][] {
  const own = classes.filter(([, { members }]) => members.length > 0);
  const types = own.flatMap(([, { members }]) => members.map(({ type }) => type)).join(" ");
  const used = [...errors].filter(([name, { base }]) => base === undefined && new RegExp(`\\b${name}\\b`).test(types));
  return [...own, ...used];
}

function fieldTable(declarations: readonly [string, Declaration][]): string {
  const rows = declarations.flatMap(([name, { members }]) =>
    members.map((member) => [code(name), code(member.name), code(member.type), prose(member.description)]),
  );
  return table(["Of", "Field", "Type", "Meaning"], rows);
}
