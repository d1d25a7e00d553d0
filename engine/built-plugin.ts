import { builtFromSources } from "./built-from-sources.ts";

/** The folder with the provider plugin as it is installed, built from this clone's sources if they have changed. */
export function builtPlugin(): Promise<string> {
  return builtFromSources({
    name: "plugin",
    async write(folder) {
      const { writePlugin } = await import("../scripts/plugin/write-plugin.ts"); // esbuild is loaded only for a build
      return writePlugin(folder);
    },
  });
}
