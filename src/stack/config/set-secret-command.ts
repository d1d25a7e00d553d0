import type { KeyPath } from "../../json/key-path.ts";
import type { ConfigNode } from "./config-node.ts";
import { namespace } from "./config-values.ts";

/** The command that sets a secret of a stack's file, as one types it into a shell: the CLI then asks for the value. */
export function setSecretCommand(path: KeyPath): string {
  const isNested = path.length > 1;
  return `pulumi config set --secret ${isNested ? "--path " : ""}${quoted(configPath(path))}`;
}

/**
 * How to make a plaintext value a secret: the command, and what must be done first. A key of the stack's file replaces all of the
 * same key in Pulumi.yaml.
 */
export function howToMakeSecret({ place: { path }, source }: ConfigNode): string {
  const [name, ...rest] = path;
  const key = `${namespace}:${String(name)}`;
  const firstOf: Partial<Record<ConfigNode["source"], string>> = {
    "tenants file": "A file of tenants cannot hold secrets: remove it there and run",
    "project file": `Pulumi.yaml cannot hold secrets: move all of ${key} to the stack's file and run`,
  };
  return `${firstOf[source] ?? "Run"} \`${setSecretCommand([key, ...rest])}\``;
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
