import { dirname, join } from "node:path";
import { Application, type TypeDocOptions } from "typedoc";
import type { PluginOptions } from "typedoc-plugin-markdown";

const repository = dirname(dirname(import.meta.dirname));
const packageName = "pulumi-integration-platform";

/** Where the pages of the TypeScript API are written, one for each entry point. Git ignores this folder. */
export const apiPages = join(repository, "docs/reference/api");

/**
 * Writes the pages of what the typed client and the emulator export, from their docstrings.
 *
 * @throws Error if TypeDoc reports an error. It prints the error itself.
 */
export async function writeApiPages(): Promise<void> {
  const options: TypeDocOptions & PluginOptions = {
    name: packageName,
    entryPoints: ["src/api/index.ts", "src/emulator/index.ts"].map((file) => join(repository, file)),
    tsconfig: join(repository, "tsconfig.build.json"),
    skipErrorChecking: true, // npm test compiles the sources
    plugin: ["typedoc-plugin-markdown"],
    out: apiPages,
    router: "module", // a page for each entry point
    entryFileName: "index",
    pageTitleTemplates: { index: "TypeScript API", module: `${packageName}/{name}`, member: "{name}" },
    readme: "none",
    githubPages: false,
    disableSources: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    interfacePropertiesFormat: "table",
    typeAliasPropertiesFormat: "table",
    parametersFormat: "table",
    useHTMLAnchors: true, // properties stand in tables, without headings to link to
    anchorPrefix: "api-",
    sanitizeComments: true,
    logLevel: "Error",
  };
  const app = await Application.bootstrapWithPlugins(options);
  const project = await app.convert();
  if (project !== undefined) await app.generateOutputs(project);
  if (project === undefined || app.logger.hasErrors()) throw new Error("TypeDoc could not write the pages of the API.");
}
