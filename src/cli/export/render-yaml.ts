import { Document, isMap, isPair, isScalar, Scalar, visit } from "yaml";
import { schemaComment } from "../../editor-schema/schema-comment.ts";
import { eachOneLine } from "../../json/one-line.ts";
import type { Shell } from "../shell.ts";
import { commentLines, type ExportedFleet, type ExportedTenant } from "./exported-tenants.ts";
import { type SharedDefaults, shareDefaults } from "./shared-defaults.ts";

const tenantsKey = "integration-platform:tenants";
const defaultsKey = "integration-platform:tenantDefaults";
const fleetsKey = "integration-platform:fleets";

/** The tenants as the `config` of a stack's YAML, with the settings that most of them share as `tenantDefaults`. */
export function renderTenantsYaml(shell: Pick<Shell, "directory">, tenants: readonly ExportedTenant[]): string {
  const shared = shareDefaults(tenants);
  const config = { ...unlessEmpty(defaultsKey, shared.defaults), [tenantsKey]: shared.entries };
  return (
    schemaComment(shell.directory, "stack") +
    renderYaml({ config }, [
      commentOfDefaults(["config", defaultsKey], shared),
      ...commentsOfTenants(["config", tenantsKey], tenants, shared),
    ])
  );
}

/**
 * The fleets as the `config` of a stack's YAML, each with the settings that most of its tenants share as `defaults`.
 *
 * @param fileOf the file with a fleet's tenants. Default: the tenants stand in the fleet.
 */
export function renderFleetsYaml(
  shell: Pick<Shell, "directory">,
  fleets: readonly ExportedFleet[],
  fileOf: ((fleet: ExportedFleet) => string) | undefined,
): string {
  const declared = fleets.map((fleet) => {
    const { key, integration, tenants } = fleet;
    const shared = shareDefaults(tenants);
    const own = fileOf === undefined ? { tenants: shared.entries } : { tenantsFrom: fileOf(fleet) };
    const path = ["config", fleetsKey, key];
    return {
      entry: [key, { integration, ...unlessEmpty("defaults", shared.defaults), ...own }],
      comments: [
        commentOfDefaults([...path, "defaults"], shared),
        ...commentsOfTenants([...path, "tenants"], tenants, shared),
      ],
    };
  });
  return (
    schemaComment(shell.directory, "stack") +
    renderYaml(
      { config: { [fleetsKey]: Object.fromEntries(declared.map(({ entry }) => entry)) } },
      declared.flatMap(({ comments }) => comments),
    )
  );
}

/** The file with a fleet's tenants. The fleet itself has the `defaults` that these entries rely on. */
export function renderTenantFile(shell: Pick<Shell, "directory">, { tenants }: ExportedFleet, folder: string): string {
  const shared = shareDefaults(tenants);
  return (
    schemaComment(shell.directory, "tenants", folder) +
    renderYaml(shared.entries, commentsOfTenants([], tenants, shared))
  );
}

function unlessEmpty(key: string, defaults: SharedDefaults["defaults"]): object {
  return Object.keys(defaults).length === 0 ? {} : { [key]: defaults };
}

/** A comment at a map of a document. */
interface Comment {
  path: readonly string[];
  lines: readonly string[];
}

function commentOfDefaults(path: readonly string[], { defaults, notes }: SharedDefaults): Comment {
  return { path, lines: commentLines({ leftOut: [], notes }, defaults) };
}

function commentsOfTenants(
  path: readonly string[],
  tenants: readonly ExportedTenant[],
  { entries }: SharedDefaults,
): Comment[] {
  return tenants.map((tenant) => ({
    path: [...path, tenant.key],
    lines: commentLines(tenant, entries[tenant.key] ?? {}),
  }));
}

/** A value as YAML with comments. A comment at a map that the document does not have is left out. */
function renderYaml(value: object, comments: readonly Comment[]): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  for (const { path, lines } of comments.filter(({ lines }) => lines.length > 0)) {
    const node = document.getIn(path);
    if (isMap(node)) node.comment = lines.map((line) => ` ${line}`).join("\n");
  }
  // Dialects of YAML read some plain keys as other values, so every key that is not a plain word in all of them is quoted.
  visit(document, (_, node) => {
    if (isPair(node) && isScalar(node.key) && !isPlainWord(String(node.key.value))) {
      node.key.type = Scalar.QUOTE_DOUBLE;
    }
  });
  const text = document.toString({ defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN", lineWidth: 0 });
  // YAML 1.1 reads more characters as line ends. All of them stand in double quotes here, where an escape is allowed.
  return eachOneLine(text);
}

function isPlainWord(text: string) {
  return /^[a-z][\w:-]*$/i.test(text) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(text);
}
