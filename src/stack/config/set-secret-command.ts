import type { KeyPath } from "../../json/key-path.ts";
import type { ConfigNode } from "./config-node.ts";
import { namespace } from "./config-values.ts";

/** The command that sets a secret of a stack's file, as one types it into a shell: the CLI then asks for the value. */
export function setSecretCommand(path: KeyPath): string {
  const isNested = path.length > 1;
  return `pulumi config set --secret ${isNested ? "--path " : ""}${quoted(configPath(path))}`;
}

/** What must be done first with a value of Pulumi.yaml: the command would set a key of the stack's file, which replaces all of it. */
export function moveFromProject({ place: { path } }: ConfigNode): string {
  const key = `${namespace}:${String(path[0])}`;
  return `Pulumi.yaml cannot hold secrets: move all of ${key} to the stack's file`;
}

/** A path as `pulumi config set --path` takes it: `integration-platform:tenants.acme.configs["a.b"][0]`. */
function configPath(path: KeyPath): string {
  const parts = path.map((key) => {
    if (typeof key === "number") return `[${key}]`;
    const text = String(key);
    return /[.[\]"]/.test(text) ? `["${text.replaceAll('"', '\\"')}"]` : `.${text}`;
  });
  return parts.join("").replace(/^\./, "");
}

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
