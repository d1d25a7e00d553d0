// Starts the provider plugin from the sources of this clone. Its standard output is read by the engine.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { builtPlugin } from "../built-plugin.ts";

await import(pathToFileURL(join(await builtPlugin(), "plugin.mjs")).href);
