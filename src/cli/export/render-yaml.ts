import { Document, isMap, isPair, isScalar, Scalar, visit } from "yaml";
import { schemaComment } from "../../editor-schema/schema-comment.ts";
import { oneLine } from "../../json/one-line.ts";
import { type ExportedFleet, type ExportedTenant, leftOutLine } from "./exported-tenants.ts";
import { type SharedDefaults, shareDefaults } from "./shared-defaults.ts";

const tenantsKey = "integration-platform:tenants";
const fleetsKey = "integration-platform:fleets";

/** The tenants as the `config` of a stack's YAML, with the settings that most of them share as `tenantDefaults`. */
export function renderTenantsYaml(tenants: readonly ExportedTenant[]): string {
  const { defaults, entries } = shareDefaults(tenants);
  const config = { ...unlessEmpty("integration-platform:tenantDefaults", defaults), [tenantsKey]: entries };
  return schemaComment("stack") + renderYaml({ config }, [{ path: ["config", tenantsKey], tenants }]);
}

/**
 * The fleets as the `config` of a stack's YAML, each with the settings that most of its tenants share as `defaults`.
 *
 * @param fileOf the file with a fleet's tenants. Default: the tenants stand in the fleet.
 */
export function renderFleetsYaml(
  fleets: readonly ExportedFleet[],
  fileOf: ((fleet: ExportedFleet) => string) | undefined,
): string {
  const declared = fleets.map((fleet) => [fleet.key, declaredFleet(fleet, fileOf?.(fleet))]);
  const config = { [fleetsKey]: Object.fromEntries(declared) };
  const places = fleets.map(({ key, tenants }) => ({ path: ["config", fleetsKey, key, "tenants"], tenants }));
  return schemaComment("stack") + renderYaml({ config }, places);
}

/** The file with a fleet's tenants. The fleet itself has the `defaults` that these entries rely on. */
export function renderTenantFile({ tenants }: ExportedFleet, folder: string): string {
  return schemaComment("tenants", folder) + renderYaml(shareDefaults(tenants).entries, [{ path: [], tenants }]);
}

function declaredFleet({ integration, tenants }: ExportedFleet, tenantsFrom: string | undefined): object {
  const { defaults, entries } = shareDefaults(tenants);
  const own = tenantsFrom === undefined ? { tenants: entries } : { tenantsFrom };
  return { integration, ...unlessEmpty("defaults", defaults), ...own };
}

function unlessEmpty(key: string, defaults: SharedDefaults["defaults"]): object {
  return Object.keys(defaults).length === 0 ? {} : { [key]: defaults };
}

/** The place in a document where tenants stand by their keys. */
interface TenantsPlace {
  path: readonly string[];
  tenants: readonly ExportedTenant[];
}

/** A value as YAML. A comment at each tenant names the settings that are not exported. */
function renderYaml(value: object, places: readonly TenantsPlace[]): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  for (const { path, tenants } of places) {
    const nodes = document.getIn(path);
    for (const { key, leftOut } of tenants) {
      const node = isMap(nodes) ? nodes.get(key) : undefined;
      const lines = leftOut.map((setting) => ` ${leftOutLine(setting)}`);
      if (isMap(node) && lines.length > 0) node.comment = lines.join("\n");
    }
  }
  // Dialects of YAML read some plain keys as other values, so every key that is not a plain word in all of them is quoted.
  visit(document, (_, node) => {
    if (isPair(node) && isScalar(node.key) && !isPlainWord(String(node.key.value))) {
      node.key.type = Scalar.QUOTE_DOUBLE;
    }
  });
  const text = document.toString({ defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN", lineWidth: 0 });
  // YAML 1.1 reads more characters as line ends. All of them stand in double quotes here, where an escape is allowed.
  return text.split("\n").map(oneLine).join("\n");
}

function isPlainWord(text: string) {
  return /^[a-z][\w:-]*$/i.test(text) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(text);
}
